"""``monkey``: opens an app, or takes events from a port (AOSP development, cmds/monkey)."""

import itertools
from collections.abc import Sequence

from virtual_phone.adbd.transport import AdbStream
from virtual_phone.builds import Quirk
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply
from virtual_phone.sockets import SHELL
from virtual_phone.state import PhoneState
from virtual_phone.ui import touch

_CANNOT_BIND = 251


def launch(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``monkey -p PACKAGE -c android.intent.category.LAUNCHER 1``: opens an app."""
    words = list(args)
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    begin = "  bash arg: " + "\n  bash arg: ".join(words) + "\n"
    if Quirk.MONKEY_PRINTS_ARGUMENTS in state.build.quirks:
        begin += _monkey_arguments(words)
    if not state.apps.open(package):
        return ProgramReply(begin + "** No activities found to run, monkey aborted.\n", status=252)
    return ProgramReply(
        begin + "Events injected: 1\n## Network stats: elapsed time=9ms (0ms mobile, 0ms wifi, 9ms not connected)\n"
    )


def _monkey_arguments(words: Sequence[str]) -> str:
    data = (value for option, value in itertools.pairwise(words) if option in ("-p", "-c"))
    return (
        f"args: [{', '.join(words)}]\n"
        + "".join(f' arg: "{word}"\n' for word in words)
        + "".join(f'data="{value}"\n' for value in data)
    )


async def monkey(call: ProgramCall) -> int:
    """``monkey -p PACKAGE … COUNT`` opens an app; ``monkey --port PORT [-v]`` serves until its starter leaves."""
    if "--port" in call.args[:-1]:
        return await _serve(call, call.args[call.args.index("--port") + 1])
    reply = launch(call.state, call.args)
    await call.out(reply.stdout)
    return reply.status


async def _serve(call: ProgramCall, port: str) -> int:
    if not port.isdecimal() or call.phone.local_service(port) is not None:
        await call.out("Error binding to network socket.\n")
        return _CANNOT_BIND
    with call.phone.serving_locally(int(port), MonkeyServer(call).serve, uid=SHELL):
        if "-v" in call.args:
            await call.out(":Monkey: seed=1770386400000 count=0\n")
        while await call.streams.stdin.read():
            pass
    return 0


class MonkeyServer:
    """Carries out what a client writes, one line each (MonkeySourceNetwork.java, MonkeySourceNetworkVars.java)."""

    def __init__(self, call: ProgramCall) -> None:
        self._screen, self._state = call.phone.screen, call.state

    async def serve(self, stream: AdbStream) -> None:
        """Answer one client until it leaves, or says ``quit`` or ``done``."""
        text = ""
        while chunk := await stream.read():
            *lines, text = (text + chunk.decode(errors="replace")).split("\n")
            for line in lines:
                words = line.split()
                if words[:1] in (["quit"], ["done"]):
                    return
                await stream.write(f"{self._answer(words)}\n".encode())

    def _answer(self, words: Sequence[str]) -> str:
        """``OK``, ``OK:VALUE`` or ``ERROR``."""
        match list(words):
            case ["tap", x, y] if x.isdecimal() and y.isdecimal():
                touch.tap(self._screen, self._state, int(x), int(y))
            case ["touch", ("down" | "move" | "up") as action, x, y] if x.isdecimal() and y.isdecimal():
                self._finger(action, (int(x), int(y)))
            case ["press", key] | ["key", "down", key]:
                return "OK" if touch.press(self._state, key) else "ERROR"
            case ["key", "up", _] | ["sleep", _] | ["trackball", _, _]:
                pass
            case ["type", *text]:
                touch.type_text(self._state, " ".join(text))
            case ["wake"]:
                self._state.power.wake()
            case ["getvar", name]:
                value = self._values().get(name)
                return "ERROR:unknown var" if value is None else f"OK:{value}"
            case ["listvar"]:
                return f"OK:{' '.join(self._values())}"
            case _:
                return "ERROR"
        return "OK"

    def _finger(self, action: str, place: tuple[int, int]) -> None:
        panel = self._state.touchscreen
        if action == "down":
            panel.finger = place
        elif action == "up" and panel.finger is not None:
            start, panel.finger = panel.finger, None
            touch.swipe(self._screen, self._state, start, place)

    def _values(self) -> dict[str, str]:
        identity, display = self._state.identity, self._state.display
        return {
            "build.brand": identity.brand,
            "build.device": identity.device,
            "build.manufacturer": identity.manufacturer,
            "build.model": identity.model,
            "build.version.release": identity.release,
            "build.version.sdk": str(identity.sdk),
            "display.density": str(display.density / 160),
            "display.height": str(display.height),
            "display.width": str(display.width),
            "am.current.package": self._state.apps.foreground.package,
        }


PROGRAMS: dict[str, Program] = {"monkey": monkey}
