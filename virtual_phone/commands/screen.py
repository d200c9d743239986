"""``screencap``, ``uiautomator``, ``input`` and ``getevent``."""

import asyncio
from collections.abc import Sequence

from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state.files import FileError
from virtual_phone.ui import touch
from virtual_phone.ui.dump import hierarchy

_SOURCES = ("touchscreen", "keyboard", "mouse", "touchpad", "dpad", "gamepad", "stylus", "trackball")
_SWIPE_MS = 300
"""How long a swipe takes that names no duration (AOSP ``InputShellCommand.java``)."""
_INPUT_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress|--doubletap|--async] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
"""


async def screencap(call: ProgramCall) -> int:
    """``screencap [-p] [-d ID] [FILE]``: PNG with ``-p`` or for a name ending in .png, else raw pixels."""
    words = list(call.args)
    if "-d" in words:
        at = words.index("-d")
        del words[at : at + 2]
    names = [word for word in words if not word.startswith("-")]
    png = "-p" in words or bool(names and names[0].endswith(".png"))
    frame = await asyncio.to_thread(call.phone.screen.drawing("png" if png else "raw"))
    if not names:
        await call.out(frame)
        return 0
    try:
        writer = call.files.open_writer(call.shell.path(names[0]))
        writer.write(frame)
        writer.close()
    except FileError as error:
        return await call.fail(f"Error opening file: {names[0]} ({error.reason})")
    return 0


async def uiautomator(call: ProgramCall) -> int:
    """``uiautomator dump [--compressed] [FILE]``."""
    words = [word for word in call.args if not word.startswith("--")]
    if words[:1] != ["dump"]:
        return await call.fail("Unsupported command: " + " ".join(call.args))
    target = words[1] if len(words) > 1 else "/sdcard/window_dump.xml"
    xml = hierarchy([call.phone.screen.active_window()], call.state.display.rotation)
    if target == "/dev/tty":
        await call.out(xml)
    else:
        try:
            writer = call.files.open_writer(call.shell.path(target))
            writer.write(xml.encode())
            writer.close()
        except FileError as error:
            return await call.fail(f"java.io.FileNotFoundException: {error}", 137)
    await call.out(f"UI hierchary dumped to: {target}\n")
    return 0


async def input_(call: ProgramCall) -> int:
    """``input tap|swipe|draganddrop|motionevent|text|keyevent|keycombination`` (AOSP InputShellCommand.java)."""
    words = [word for word in call.args if word not in _SOURCES]
    if words[:1] == ["-d"]:
        words = words[2:]
    verb, rest = (words[0] if words else ""), words[1:]
    handler = _VERBS.get(verb)
    if handler is not None and rest:
        return await handler(call, rest)
    if verb in ("press", "roll"):  # the trackball, which phones no longer have
        return 0
    if verb in ("tap", "swipe", "draganddrop") and _numbers(rest, 2 if verb == "tap" else 4):
        _touch(call, verb, [round(float(word)) for word in rest])
        return 0
    return await call.fail(_INPUT_USAGE, 255)


async def _text(call: ProgramCall, words: Sequence[str]) -> int:
    # `%s` is a space; only ASCII has key events (AOSP KeyCharacterMap).
    text = " ".join(words).replace("%s", " ")
    if not text.isascii():
        return await call.fail(_thrown("java.lang.NullPointerException: Attempt to get length of null array"), 255)
    touch.type_text(call.state, text)
    return 0


def _touch(call: ProgramCall, verb: str, numbers: Sequence[int]) -> None:
    screen, state = call.phone.screen, call.state
    if verb == "tap":
        touch.tap(screen, state, numbers[0], numbers[1])
    else:
        seconds = (numbers[4] if len(numbers) > 4 else _SWIPE_MS) / 1000
        touch.swipe(screen, state, (numbers[0], numbers[1]), (numbers[2], numbers[3]), seconds=seconds)


async def _finger(call: ProgramCall, words: Sequence[str]) -> int:
    """``motionevent DOWN|MOVE|UP|CANCEL X Y``: what a touch does is known when the finger is lifted."""
    if not _numbers(words[1:], 2):
        return await call.fail(_INPUT_USAGE, 255)
    panel, action, place = call.state.touchscreen, words[0].upper(), (round(float(words[1])), round(float(words[2])))
    if action == "DOWN":
        panel.finger = place
    elif action in ("UP", "CANCEL"):
        start, panel.finger = panel.finger, None
        if start is not None and action == "UP":
            touch.swipe(call.phone.screen, call.state, start, place)
    return 0


async def _combination(call: ProgramCall, words: Sequence[str]) -> int:
    """Keys pressed together; apps here know Ctrl+A."""
    keys = [word.upper().removeprefix("KEYCODE_") for word in _without_delay(words)]
    if keys in (["CTRL_LEFT", "A"], ["113", "29"]):
        touch.select_all(call.state)
    return 0


def _without_delay(words: Sequence[str]) -> list[str]:
    """The keys after the options; ``--delay`` and ``-t`` have a value."""
    rest = list(words)
    for option in ("--delay", "-t"):
        if option in rest:
            at = rest.index(option)
            del rest[at : at + 2]
    return [word for word in rest if not word.startswith("--")]


async def _keys(call: ProgramCall, words: Sequence[str]) -> int:
    for key in _without_delay(words):
        if not touch.press(call.state, key):
            return await call.fail(_thrown(f"java.lang.IllegalArgumentException: Unknown keycode: {key}"), 255)
    return 0


_VERBS = {"text": _text, "keyevent": _keys, "keycombination": _combination, "motionevent": _finger}
"""Commands that need an argument."""


def _thrown(exception: str) -> str:
    return f"\nException occurred while executing 'input':\n{exception}"


def _numbers(words: Sequence[str], count: int) -> bool:
    if len(words) < count:
        return False
    try:
        return all(float(word) >= 0 for word in words[: max(count, 4 if count == 4 else 2)])
    except ValueError:
        return False


async def getevent(call: ProgramCall) -> int:
    """``getevent -p`` (the devices; ``-l`` with labels) and ``getevent -lt [DEVICE]`` (touches from now on)."""
    panel = call.state.touchscreen
    options = "".join(word for word in call.args if word.startswith("-"))
    if "p" in options:
        await call.out(panel.described(labels="l" in options))
        return 0
    named = not any(word.startswith("/dev/input/") for word in call.args)
    reached = panel.sequence
    while True:
        await panel.grown(reached)
        text, reached = panel.lines(reached, named=named), panel.sequence
        await call.out(text)


PROGRAMS: dict[str, Program] = {
    "screencap": screencap,
    "uiautomator": uiautomator,
    "input": input_,
    "getevent": getevent,
}
