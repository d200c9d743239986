"""The shell's builtins: variables, exit, test, exec, sleep and others."""

import asyncio
import re
from collections.abc import Sequence

from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.shell.expansion import Variables
from virtual_phone.shell.interpreter import ExitShell, Shell

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


async def true(call: ProgramCall) -> int:
    return 0


async def false(call: ProgramCall) -> int:
    return 1


async def exit_(call: ProgramCall) -> int:
    word = call.args[0] if call.args else str(call.shell.variables.status)
    raise ExitShell(int(word) & 255 if word.lstrip("-").isdigit() else 1)


async def exec_(call: ProgramCall) -> int:
    if not call.args:
        return 0
    raise ExitShell(await call.shell.execute(call.args, call.streams))


async def run_rest(call: ProgramCall) -> int:
    """``toybox cmd``, ``busybox``, ``nohup``, ``command``, ``env``: run the rest of the line."""
    args = list(call.args)
    while args and call.name == "env" and "=" in args[0]:
        name, _, value = args.pop(0).partition("=")
        call.shell.variables.values[name] = value
    if call.name == "command" and args[:1] == ["-v"]:
        known = len(args) > 1 and args[1] in call.shell.programs
        await call.out(f"/system/bin/{args[1]}\n" if known else "")
        return 0 if known else 1
    if not args:
        if call.name == "env":
            await call.out("".join(f"{name}={value}\n" for name, value in sorted(call.environment.items())))
        return 0
    return await call.shell.execute(args, call.streams)


async def timeout(call: ProgramCall) -> int:
    args = [word for word in call.args if not word.startswith("-")]
    if len(args) < 2:
        return await call.fail("timeout: Needs 2 arguments")
    try:
        async with asyncio.timeout(_seconds(args[0])):
            return await call.shell.execute(args[1:], call.streams)
    except TimeoutError:
        return 143


async def sleep(call: ProgramCall) -> int:
    try:
        seconds = sum(_seconds(word) for word in call.args)
    except ValueError:
        return await call.fail(f"sleep: bad number '{' '.join(call.args)}'")
    await asyncio.sleep(seconds)
    return 0


def _seconds(word: str) -> float:
    match = re.fullmatch(r"(\d++(?:\.\d++)?|\.\d++)([smhd]?)", word)
    if match is None:
        raise ValueError(word)
    return float(match[1]) * _UNITS[match[2]]


async def export(call: ProgramCall) -> int:
    for word in call.args:
        name, equals, value = word.partition("=")
        if equals:
            call.shell.variables.values[name] = value
    return 0


async def unset(call: ProgramCall) -> int:
    for name in call.args:
        call.shell.variables.values.pop(name, None)
    return 0


async def set_(call: ProgramCall) -> int:
    if call.args[:1] == ["--"]:
        call.shell.variables.positional = call.args[1:]
    return 0


async def shift(call: ProgramCall) -> int:
    call.shell.variables.positional = call.shell.variables.positional[1:]
    return 0


async def cd(call: ProgramCall) -> int:
    target = call.shell.path(call.args[0] if call.args else "/")
    status = call.files.stat(target)
    if status is None or not status.mode & 0o040000:
        return await call.fail(f"/system/bin/sh: cd: {call.args[0]}: No such file or directory", 2)
    call.shell.directory = call.files.resolve(target)
    return 0


async def pwd(call: ProgramCall) -> int:
    await call.out(call.shell.directory + "\n")
    return 0


async def read(call: ProgramCall) -> int:
    line = bytearray()
    while (byte := await call.streams.stdin.read(1)) and byte != b"\n":
        line += byte
    names = [word for word in call.args if not word.startswith("-")] or ["REPLY"]
    words = line.decode(errors="replace").split(None, len(names) - 1)
    for name, word in zip(names, [*words, *[""] * len(names)], strict=False):
        call.shell.variables.values[name] = word
    return 0 if byte else 1


async def sh(call: ProgramCall) -> int:
    """``sh -c LINE [name args]``, ``sh FILE`` or a script on standard input."""
    args = [word for word in call.args if word not in ("-l", "-e", "-x")]
    if args[:1] == ["-c"] and len(args) > 1:
        return await _child(call, args[2:]).run(args[1], call.streams)
    if args:
        script = call.files.read(call.shell.path(args[0])).read().decode(errors="replace")
    else:
        data = b""
        while chunk := await call.streams.stdin.read():
            data += chunk
        script = data.decode(errors="replace")
    return await _child(call, args).run(script, call.streams)


def _child(call: ProgramCall, positional: Sequence[str]) -> Shell:
    child = call.shell.fork()
    child.variables = Variables(dict(call.environment), list(positional[1:]))
    child.variables.name = positional[0] if positional else child.variables.name
    return child


async def eval_(call: ProgramCall) -> int:
    return await call.shell.run(" ".join(call.args), call.streams)


async def test(call: ProgramCall) -> int:
    """``test`` and ``[``."""
    args = list(call.args)
    if call.name == "[":
        if args[-1:] != ["]"]:
            return await call.fail("/system/bin/sh: [: missing ]", 2)
        args = args[:-1]
    return int(not _holds(call, args))


def _holds(call: ProgramCall, args: list[str]) -> bool:
    for operator, combine in (("-o", any), ("-a", all)):
        if operator in args[1:]:
            at = args.index(operator, 1)
            return combine([_holds(call, args[:at]), _holds(call, args[at + 1 :])])
    if args[:1] == ["!"]:
        return not _holds(call, args[1:])
    if len(args) == 3:
        return _compare(args[0], args[1], args[2])
    if len(args) == 2:
        return _unary(call, args[0], args[1])
    return bool(args and args[0])


def _unary(call: ProgramCall, operator: str, word: str) -> bool:
    if operator in ("-n", "-z"):
        return bool(word) == (operator == "-n")
    status = call.files.stat(call.shell.path(word))
    if status is None:
        return False
    directory = bool(status.mode & 0o040000)
    return {"-e": True, "-f": not directory, "-d": directory, "-s": status.size > 0}.get(operator, True)


def _compare(left: str, operator: str, right: str) -> bool:
    if operator in ("=", "==", "!="):
        return (left == right) == (operator != "!=")
    try:
        a, b = int(left), int(right)
    except ValueError:
        return False
    results = {"-eq": a == b, "-ne": a != b, "-lt": a < b, "-le": a <= b, "-gt": a > b, "-ge": a >= b}
    return results.get(operator, False)


PROGRAMS: dict[str, Program] = {
    ":": true, "true": true, "false": false, "exit": exit_, "return": exit_, "exec": exec_, "toybox": run_rest,
    "busybox": run_rest, "nohup": run_rest, "command": run_rest, "env": run_rest, "builtin": run_rest, "nice": run_rest,
    "timeout": timeout, "sleep": sleep, "export": export, "unset": unset, "set": set_, "shift": shift, "cd": cd,
    "pwd": pwd, "read": read, "sh": sh, "eval": eval_, "test": test, "[": test, "trap": true, "wait": true,
    "local": export, "readonly": export, "umask": true, "ulimit": true,
}  # fmt: skip
