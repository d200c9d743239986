"""Programs that only a build for developers has: ``su``, and ``sqlite3`` (``commands/sqlite.py``).

``su [WHO [COMMAND ...]]`` is AOSP's (``system/extras/su/su.cpp``). ``su -c LINE``, which AOSP's refuses, is taken too:
phones that their owner rooted have the ``su`` of Magisk (topjohnwu/Magisk, ``native/src/core/su/su.cpp``).
"""

from virtual_phone.commands import sqlite
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.shell.interpreter import User

_USERS: dict[str, User] = {"0": "root", "root": "root", "2000": "shell", "shell": "shell"}
_USAGE = """usage: su [WHO [COMMAND...]]

Switch to WHO (default 'root') and run the given COMMAND (default sh).

WHO is a comma-separated list of user, group, and supplementary groups
in that order.

"""


async def su(call: ProgramCall) -> int:
    """Run a command, a line (``-c``) or standard input as another user."""
    words = list(call.args)
    if words[:1] in (["-h"], ["--help"]):
        await call.err(_USAGE)
        return 0
    who = words.pop(0) if words and not words[0].startswith("-") else "root"
    user = _USERS.get(who.partition(",")[0])
    if user is None:
        return await call.fail(f"su: invalid uid/gid '{who}'")
    shell = call.shell.as_user(user)
    if words[:1] == ["-c"]:
        return await shell.run(" ".join(words[1:]), call.streams)
    return await shell.execute(words or ["sh"], call.streams)


PROGRAMS: dict[str, Program] = {"su": su, **sqlite.PROGRAMS}
