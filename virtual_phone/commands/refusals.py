"""What the phone's build refuses: asked before each program runs."""

import functools
import itertools
from collections.abc import Sequence

from virtual_phone.builds import Build
from virtual_phone.builds.build import CommandReply
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply, thrown

_SERVICES = {
    "am": "activity", "appops": "appops", "ime": "input_method", "locksettings": "lock_settings",
    "media": "media_session", "pm": "package", "settings": "settings", "wm": "window",
}  # fmt: skip
"""Programs that are another name of ``cmd SERVICE``."""
_HELP = ("", "help", "-h")


def checked(program: Program) -> Program:
    """The program, run only if the phone's build does not refuse the command line."""

    @functools.wraps(program)
    async def run(call: ProgramCall) -> int:
        reply = refusal(call.state.build, [call.name, *call.args])
        if reply is None:
            return await program(call)
        await call.out(reply.stdout)
        await call.err(reply.stderr)
        return reply.status

    return run


def refusal(build: Build, line: Sequence[str]) -> ProgramReply | None:
    """The build's answer to a command line that it refuses; None for one that it accepts."""
    words = _as_service(line)
    name, verb = words[0], words[1] if len(words) > 1 else ""
    for row in build.refusals:
        if any(words[: len(prefix)] == prefix for prefix in map(str.split, row.commands)):
            return _worded(row.reply, verb or name)
    if verb not in _HELP and not build.has_verb(name, verb):
        return _worded((build.services or {})[name].unknown, verb)
    return next((closed(user, verb) for user in build.closed_users if _names_user(words, user)), None)


def closed(user: int, verb: str) -> ProgramReply:
    """The answer to a command that touches a user whom adb may not see (``UserController.java``)."""
    return thrown(verb, f"java.lang.SecurityException: Shell does not have permission to access user {user}")


def _as_service(line: Sequence[str]) -> list[str]:
    words = [word for word in line if word != "-w"]
    if words[0] == "cmd":
        return words[1:] or ["cmd"]
    return [_SERVICES.get(words[0], words[0]), *words[1:]]


def _names_user(words: Sequence[str], user: int) -> bool:
    return any(option == "--user" and value == str(user) for option, value in itertools.pairwise(words))


def _worded(reply: CommandReply, verb: str) -> ProgramReply:
    if reply.exception:
        return thrown(verb, reply.exception.replace("{verb}", verb))
    return ProgramReply(reply.stdout.replace("{verb}", verb), reply.stderr.replace("{verb}", verb), reply.status)
