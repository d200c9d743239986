"""The emulator's console, as ``adb emu`` speaks to it (Android's "Send emulator console commands").

One line per command; answers end in ``OK``, or in ``KO: why``. A real console first asks for the token in
``~/.emulator_console_auth_token``, and adb shows only what follows the second OK (seen with adb 36). This one greets
in the same two steps and accepts any token or none, unless ``PhoneConsole.token`` is set.
"""

import asyncio
import re
from collections.abc import Callable, Sequence

from virtual_phone.state import PhoneState
from virtual_phone.state.phone_state import Snapshot

_BANNER = (
    "Android Console: Authentication not required\r\nOK\r\n"
    "Android Console: type 'help' for a list of commands\r\nOK\r\n"
)
_ASKS = (
    "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\nOK\r\n"
)
_MAX_LINE = 64 * 1024
_MAX_SNAPSHOTS = 32
_STATES = ("unknown", "charging", "discharging", "not-charging", "full")
_ESCAPE = re.compile(r"\\([\\n])")
_ESCAPED = {"\\": "\\", "n": "\n"}
"""Escapes in a message's text (AOSP ``sms.c``)."""


class ConsoleError(Exception):
    """A refused command; the message is the reason."""


class PhoneConsole:
    """The console of one phone and its snapshots."""

    def __init__(self, state: PhoneState) -> None:
        self._state = state
        self._snapshots: dict[str, Snapshot] = {}
        self.token = ""
        """The token that a connection has to send first; empty = none is required."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the commands of one connection."""
        writer.write((_ASKS if self.token else _BANNER).encode())
        try:
            if self.token and (await reader.readline()).decode(errors="replace").split() != ["auth", self.token]:
                writer.write(b"KO: authentication token does not match\r\n")
                return
            if self.token:
                writer.write(b"Android Console: type 'help' for a list of commands\r\nOK\r\n")
            while (line := (await reader.readline()).decode(errors="replace").strip()) not in ("", "quit", "exit"):
                writer.write(self.run(line).encode())
                await writer.drain()
        except (ConnectionError, ValueError):  # disconnected, or a line that is too long
            return
        finally:
            writer.close()

    def run(self, line: str) -> str:
        """The complete answer to one command."""
        words = line.split(" ")
        for size in (3, 2, 1):
            command = _COMMANDS.get(" ".join(words[:size]))
            if command is not None:
                break
        else:
            return "KO: unknown command, try 'help'\r\n"
        try:
            said = command(self, self._state, words[size:])
        except (ConsoleError, ValueError) as error:
            return f"KO: {error}\r\n"
        return "".join(f"{row}\r\n" for row in said.splitlines()) + "OK\r\n"

    def save(self, name: str) -> None:
        """Store a snapshot of the state under a name."""
        if len(self._snapshots) >= _MAX_SNAPSHOTS and name not in self._snapshots:
            raise ConsoleError("too many snapshots")
        self._snapshots[name] = self._state.snapshot()

    def load(self, name: str) -> None:
        """Restore the snapshot with this name."""
        if name not in self._snapshots:
            raise ConsoleError(f"The snapshot '{name}' does not exist")
        self._state.restore(self._snapshots[name])

    def delete(self, name: str) -> None:
        """Delete the snapshot with this name."""
        self._snapshots.pop(name, None)

    def listed(self) -> str:
        """The names of the snapshots."""
        return "\n".join(["List of snapshots present on all disks:", *self._snapshots])


def _argument(words: Sequence[str], usage: str) -> str:
    if not words or not words[0]:
        raise ConsoleError(f"missing argument, try '{usage}'")
    return words[0]


def _sms(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    if len(words) < 2:
        raise ConsoleError("missing argument, try 'sms send <phonenumber> <text message>'")
    state.messages.receive(words[0], _ESCAPE.sub(lambda match: _ESCAPED[match[1]], " ".join(words[1:])))
    return ""


def _fix(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    if len(words) < 2:
        raise ConsoleError("not enough arguments: see 'help geo fix' for details")
    longitude, latitude = float(words[0]), float(words[1])
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise ConsoleError("invalid longitude or latitude value")
    state.location.move(latitude, longitude)
    return ""


def _capacity(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    percent = int(_argument(words, "power capacity <percentage>"))
    if not 0 <= percent <= 100:
        raise ConsoleError("Usage: capacity <percentage>")
    state.battery.set(level=percent)
    return ""


def _ac(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    word = _argument(words, "power ac on|off")
    if word not in ("on", "off"):
        raise ConsoleError("Usage: ac on|off")
    state.battery.set(charger="ac" if word == "on" else "none")
    return ""


def _status(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    # The battery's own view follows the charger here.
    if _argument(words, "power status unknown|charging|discharging|not-charging|full") not in _STATES:
        raise ConsoleError("Usage: status unknown|charging|discharging|not-charging|full")
    return ""


def _power(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return f"AC: {'online' if state.battery.plugged else 'offline'}\ncapacity: {state.battery.level}"


def _call(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    state.calls.ring(_argument(words, "gsm call <phonenumber>"))
    return ""


def _accept(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    state.calls.answer()
    return ""


def _cancel(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    state.calls.hang_up()
    return ""


def _save(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    console.save(_argument(words, "avd snapshot save <name>"))
    return ""


def _load(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    console.load(_argument(words, "avd snapshot load <name>"))
    return ""


def _delete(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    console.delete(_argument(words, "avd snapshot delete <name>"))
    return ""


def _list(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return console.listed()


def _name(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return state.identity.model.replace(" ", "_")


def _ping(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return "I am alive!"


def _auth(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return ""


def _help(console: PhoneConsole, state: PhoneState, words: Sequence[str]) -> str:
    return "Android console commands:\n\n" + "\n".join(f"    {name}" for name in sorted(_COMMANDS))


_COMMANDS: dict[str, Callable[[PhoneConsole, PhoneState, Sequence[str]], str]] = {
    "sms send": _sms, "geo fix": _fix, "power capacity": _capacity, "power ac": _ac, "power status": _status,
    "power display": _power, "gsm call": _call, "gsm accept": _accept, "gsm cancel": _cancel,
    "avd snapshot save": _save, "avd snapshot load": _load, "avd snapshot delete": _delete,
    "avd snapshot list": _list, "avd name": _name, "ping": _ping, "auth": _auth, "help": _help,
}  # fmt: skip


async def listen(console: PhoneConsole) -> asyncio.Server:
    """Serve the console on a free port of 127.0.0.1."""
    return await asyncio.start_server(console.serve, "127.0.0.1", 0, limit=_MAX_LINE)
