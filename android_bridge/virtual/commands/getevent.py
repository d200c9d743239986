"""``getevent``: the touch panel's description and its stream (AOSP system/core/toolbox/getevent.c)."""

from android_bridge.virtual.shell.call import Call, Program

PANEL = "/dev/input/event2"
_HEADING = f'add device 1: {PANEL}\n  name:     "touchscreen"\n'


def _description(width: int, height: int) -> str:
    axes = (("SLOT", 9), ("POSITION_X", width - 1), ("POSITION_Y", height - 1), ("TRACKING_ID", 65535))
    rows = [
        f"ABS_MT_{name:<14} : value 0, min 0, max {highest}, fuzz 0, flat 0, resolution 0" for name, highest in axes
    ]
    absolute = "    ABS (0003): " + "\n                ".join(rows)
    return (
        f"{_HEADING}  events:\n    KEY (0001): BTN_TOUCH           \n{absolute}\n"
        "  input props:\n    INPUT_PROP_DIRECT\n"
    )


async def getevent(call: Call) -> int:
    """``getevent -lp`` describes; ``getevent -lt [DEVICE]`` streams until it is stopped."""
    flags = "".join(word[1:] for word in call.args if word.startswith("-"))
    paths = [word for word in call.args if not word.startswith("-")]
    if paths and paths != [PANEL]:
        return await call.fail(f"could not open {paths[0]}, No such file or directory")
    if "p" in flags:
        await call.out(_description(call.state.display.width, call.state.display.height))
        return 0
    if not paths:
        await call.out(_HEADING)
    reached = call.state.touches.sequence
    while True:
        for event in await call.state.touches.after(reached):
            reached = event.sequence
            stamp = f"[{event.seconds:15.6f}] " if "t" in flags else ""
            source = "" if paths else f"{PANEL}: "
            await call.out(f"{stamp}{source}{event.kind:<12} {event.code:<20} {event.value:<20}\n")


PROGRAMS: dict[str, Program] = {"getevent": getevent}
