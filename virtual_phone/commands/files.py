"""File tools: ls, mkdir, rm, mv, cp, stat, touch, chmod, df, du, dd, find, as toybox prints them."""

import posixpath
import re
import stat as mode_bits
from collections.abc import Container, Sequence
from datetime import datetime

from virtual_phone.builds import Quirk
from virtual_phone.commands.options import ProgramUsageError, parse
from virtual_phone.commands.text import checked
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state import PhoneState
from virtual_phone.state.files import FileError, Stat

_SHELL = ("shell", "shell")
_DATA_OF_AN_APP = re.compile(r"/data/(?:data|user_de/0)/([^/]+)")


def _moment(state: PhoneState, seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, state.clock.wall().tzinfo)


def _owner(state: PhoneState, path: str) -> tuple[str, str]:
    """User and group of a file: an app's own data belongs to its user (``u0_a`` and its number)."""
    if path.startswith("/storage/emulated"):
        return "u0_a192", "media_rw"
    data = _DATA_OF_AN_APP.match(path)
    if data is None or state.apps.find(data[1]) is None:
        return ("system", "system") if path.startswith("/data") and not path.startswith("/data/local") else _SHELL
    user = f"u0_a{state.apps.uid(data[1]) - 10000}" if state.apps.uid(data[1]) >= 10000 else "system"
    return user, user


def _required(call: ProgramCall, path: str, shown: str) -> Stat:
    status = call.files.stat(path)
    if status is None:
        raise FileError(shown, "No such file or directory")
    return status


async def ls(call: ProgramCall) -> int:
    """``ls``; ``-ll`` prints nanoseconds and the offset from UTC, ``-u`` the time of access (the file's only time)."""
    options, names = parse(call.args, "1aAdlhRniStru", "")
    if sum(word.count("l") for word in call.args if word.startswith("-")) > 1:
        options["ll"] = ""
    status = 0
    for name in names or [call.shell.directory]:
        path = call.shell.path(name)
        try:
            found = _required(call, path, name)
            if len(names) > 1 and found.mode & 0o040000 and "d" not in options:
                await call.out(f"{name}:\n")
            await _list(call, path, name, found, options)
        except FileError as error:
            status = await call.fail(f"ls: {error}")
    return status


async def _list(call: ProgramCall, path: str, name: str, found: Stat, options: dict[str, str]) -> None:
    directory = mode_bits.S_ISDIR(found.mode) and "d" not in options
    inner = call.files.names(path) if directory else [name]
    shown = [entry for entry in inner if not directory or "a" in options or "A" in options or not entry.startswith(".")]
    if "l" not in options:
        await call.out("".join(f"{entry}\n" for entry in shown))
        return
    if directory:
        await call.out(f"total {8 * len(shown)}\n")
    for entry in shown:
        await call.out(_long_line(call, posixpath.join(path, entry) if directory else path, entry, "ll" in options))


def _long_line(call: ProgramCall, path: str, shown: str, full: bool) -> str:
    status = _required(call, path, shown)
    owner, group = _owner(call.state, call.files.resolve(path))
    moment = _moment(call.state, status.modified)
    time = f"{moment:%Y-%m-%d %H:%M:%S}.000000000 {moment:%z}" if full else f"{moment:%Y-%m-%d %H:%M}"
    links = 2 if mode_bits.S_ISDIR(status.mode) else 1
    return f"{mode_bits.filemode(status.mode)} {links} {owner} {group} {status.size:>8} {time} {shown}\n"


async def mkdir(call: ProgramCall) -> int:
    options, names = parse(call.args, "pv", "m")
    for name in names:
        try:
            call.files.make_directory(call.shell.path(name), parents="p" in options)
        except FileError as error:
            return await call.fail(f"mkdir: '{name}': {error.reason}")
    return 0


async def rm(call: ProgramCall) -> int:
    options, names = parse(call.args, "rRfiv")
    status = 0
    for name in names:
        path = call.shell.path(name)
        try:
            call.files.remove(path, recursive=bool({"r", "R"} & set(options)))
        except FileError as error:
            if "f" not in options or error.reason != "No such file or directory":
                status = await call.fail(f"rm: {name}: {error.reason}")
    return status


async def rmdir(call: ProgramCall) -> int:
    _, names = parse(call.args, "p")
    for name in names:
        call.files.remove_directory(call.shell.path(name))
    return 0


async def mv(call: ProgramCall) -> int:
    _, names = parse(call.args, "fnivT")
    if len(names) < 2:
        raise ProgramUsageError("Needs 2 arguments")
    for name in names[:-1]:
        try:
            call.files.rename(call.shell.path(name), call.shell.path(names[-1]))
        except FileError as error:
            return await call.fail(f"mv: bad '{name}': {error.reason}")
    return 0


async def cp(call: ProgramCall) -> int:
    """``cp``; directories with ``-r`` or ``-a``. ``cp -r FOLDER/. TARGET`` copies what is in the folder."""
    options, names = parse(call.args, "rRfpav")
    if len(names) < 2:
        raise ProgramUsageError("Needs 2 arguments")
    target = call.shell.path(names[-1])
    for name in names[:-1]:
        inside = _is_directory(call, target)
        place = posixpath.join(target, posixpath.basename(name)) if inside else target
        _copy(call, name, place, deep=bool({"r", "R", "a"} & set(options)))
    return 0


def _is_directory(call: ProgramCall, path: str) -> bool:
    status = call.files.stat(path)
    return status is not None and mode_bits.S_ISDIR(status.mode)


def _copy(call: ProgramCall, name: str, place: str, *, deep: bool) -> None:
    source, files = call.shell.path(name), call.files
    if source != "/dev/null" and _is_directory(call, source):
        if not deep:
            raise FileError(f"Skipped dir '{name}'", "Is a directory")
        files.make_directory(place, parents=True)
        for inner in files.names(source):
            _copy(call, posixpath.join(name, inner), posixpath.join(place, inner), deep=True)
        return
    writer = files.open_writer(place)
    for chunk in files.read(source).chunks() if source != "/dev/null" else ():
        writer.write(chunk)
    writer.close()


async def stat(call: ProgramCall) -> int:
    options, names = parse(call.args, "fLt", "c")
    for name in names:
        path = call.shell.path(name)
        status = call.files.stat(path)
        if status is None:
            return await call.fail(f"stat: '{name}': No such file or directory")
        await call.out(_stat_text(call.state, name, status, options.get("c", "")) + "\n")
    return 0


def _stat_text(state: PhoneState, name: str, status: Stat, pattern: str) -> str:
    moment = _moment(state, status.modified)
    directory = mode_bits.S_ISDIR(status.mode)
    kind = "directory" if directory else "regular file"
    owner, number = ("root", 0) if status.of_root else ("shell", 2000)
    fields = {
        "n": name, "s": status.size, "Y": status.modified, "X": status.modified, "Z": status.modified,
        "a": f"{status.mode & 0o7777:o}", "A": mode_bits.filemode(status.mode), "F": kind, "i": status.inode,
        "y": f"{moment:%Y-%m-%d %H:%M:%S}.000000000 {moment:%z}", "U": owner, "G": owner, "u": number, "g": number,
        "h": 1,
    }  # fmt: skip
    if pattern:
        return re.sub(r"%([a-zA-Z])", lambda match: str(fields.get(match[1], match[0])), pattern)
    return (
        f"  File: {name}\n  Size: {status.size}\t Blocks: {-(-status.size // 512)}\t IO Blocks: 4096\t{kind}\n"
        f"Device: fe00h/65024d\t Inode: {status.inode}\t Links: 1\n"
        f"Access: ({status.mode & 0o7777:04o}/{mode_bits.filemode(status.mode)})\tUid: ({number:5}/{owner:>8})\t"
        f"Gid: ({number:5}/{owner:>8})\nModify: {fields['y']}"
    )


async def touch(call: ProgramCall) -> int:
    options, names = parse(call.args, "acmf", "tdr")
    moment = call.state.clock.wall()
    if "t" in options:
        digits = options["t"]
        pattern = "%Y%m%d%H%M" + (".%S" if "." in digits else "")
        year = f"{moment.year}" if len(digits.partition(".")[0]) == 8 else ""
        moment = datetime.strptime(year + digits, pattern).replace(tzinfo=moment.tzinfo)
    elif "d" in options:
        moment = datetime.fromisoformat(options["d"].replace(" ", "T"))
        moment = moment if moment.tzinfo else moment.replace(tzinfo=call.state.clock.wall().tzinfo)
    for name in names:
        call.files.touch(call.shell.path(name), int(moment.timestamp()))
    return 0


async def chmod(call: ProgramCall) -> int:
    options, names = parse(call.args, "Rvf")
    del options
    if len(names) < 2:
        raise ProgramUsageError("Needs 2 arguments")
    mode = int(names[0], 8) if re.fullmatch(r"[0-7]{3,4}", names[0]) else 0o755
    for name in names[1:]:
        call.files.change_mode(call.shell.path(name), mode)
    return 0


async def df(call: ProgramCall) -> int:
    options, names = parse(call.args, "hHkaP", "t")
    files = call.files
    system_used = 9 * 2**30
    size, used = files.capacity + system_used, files.capacity + system_used - files.free
    human = "h" in options

    def amount(value: int) -> str:
        return f"{value / 2**30:.0f}G" if human else str(value // 1024)

    heading = "Size Used Avail Use% Mounted on" if human else "1K-blocks     Used Available Use% Mounted on"
    await call.out(f"Filesystem       {heading}\n")
    rows = (("/dev/block/dm-5", 3 * 2**30, 3 * 2**30, "/"), ("/dev/block/dm-52", size, used, "/data"),
            ("/dev/fuse", size, used, "/storage/emulated"))  # fmt: skip
    mounts = {_mount_of(call.files.resolve(call.shell.path(name))) for name in names}
    for device, total, taken, mount in rows:
        if mounts and mount not in mounts:
            continue
        percent = f"{100 * taken // total}%"
        shown = f"{mount}/user/0" if mount == "/data" and Quirk.DATA_OF_USER_0 in call.state.build.quirks else mount
        await call.out(
            f"{device:<16} {amount(total):>9} {amount(taken):>8} {amount(total - taken):>9} {percent:>4} {shown}\n"
        )
    return 0


def _mount_of(path: str) -> str:
    """The name of the file system that holds a path."""
    if path.startswith(("/storage", "/sdcard", "/mnt")):
        return "/storage/emulated"
    return "/data" if path.startswith("/data") else "/"


async def du(call: ProgramCall) -> int:
    _, names = parse(call.args, "shka", "d")
    for name in names or ["."]:
        total = _total(call, call.shell.path(name), name)
        await call.out(f"{-(-total // 1024)}\t{name}\n")
    return 0


def _total(call: ProgramCall, path: str, shown: str) -> int:
    status = _required(call, path, shown)
    if not mode_bits.S_ISDIR(status.mode):
        return status.size
    return status.size + sum(_total(call, posixpath.join(path, name), name) for name in call.files.names(path))


async def dd(call: ProgramCall) -> int:
    values = dict(word.partition("=")[::2] for word in call.args)
    block, count = int(values.get("bs", "512")), int(values.get("count", "0"))
    source = call.shell.open_input(values.get("if", "/dev/zero"))
    writer = call.files.open_writer(call.shell.path(values["of"]))
    for _ in range(count):
        writer.write(await source.read(block))
    writer.close()
    await call.err(f"{count}+0 records in\n{count}+0 records out\n{block * count} bytes copied\n")
    return 0


async def find(call: ProgramCall) -> int:
    roots, tests = [], list(call.args)
    while tests and not tests[0].startswith("-"):
        roots.append(tests.pop(0))
    choices = [_FindTest(part) for part in _split(tests, ("-o", "-or"))]
    for root in roots or ["."]:
        await _find(call, root, choices)
    return 0


def _split(words: Sequence[str], between: Container[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in between:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


class _FindTest:
    """Tests of ``find`` that all must hold: ``-type`` and ``-name``."""

    def __init__(self, words: Sequence[str]) -> None:
        wanted = dict(zip(words[::2], words[1::2], strict=False))
        self._kind = wanted.get("-type", "")
        name = re.escape(wanted.get("-name", "*"))
        self._pattern = re.compile(name.replace(r"\*", ".*").replace(r"\?", "."))

    def holds(self, name: str, *, directory: bool) -> bool:
        kind = "d" if directory else "f"
        return self._kind in ("", kind) and self._pattern.fullmatch(posixpath.basename(name)) is not None


async def _find(call: ProgramCall, name: str, choices: Sequence[_FindTest]) -> None:
    path = call.shell.path(name)
    directory = mode_bits.S_ISDIR(_required(call, path, name).mode)
    if any(test.holds(name, directory=directory) for test in choices):
        await call.out(name + "\n")
    for inner in call.files.names(path) if directory else []:
        await _find(call, posixpath.join(name, inner), choices)


async def basename(call: ProgramCall) -> int:
    cut = posixpath.basename if call.name == "basename" else posixpath.dirname
    await call.out(cut(call.args[0].rstrip("/") or "/") + "\n")
    return 0


async def readlink(call: ProgramCall) -> int:
    _, names = parse(call.args, "fen")
    await call.out(call.files.resolve(call.shell.path(names[0])) + "\n")
    return 0


async def change_owner(call: ProgramCall) -> int:
    """``chown``, ``chgrp``, ``chcon`` and ``restorecon``: root's; owners and labels are not kept."""
    _, names = parse(call.args, "RrvFhfnDPHL")
    files = names if call.name == "restorecon" else names[1:]
    for name in files:
        _required(call, call.shell.path(name), name)
        if call.shell.user != "root":
            return await call.fail(f"{call.name}: '{name}': Operation not permitted")
    return 0


PROGRAMS: dict[str, Program] = {
    name: checked(tool)
    for name, tool in {
        "ls": ls, "mkdir": mkdir, "rm": rm, "rmdir": rmdir, "mv": mv, "cp": cp, "stat": stat, "touch": touch,
        "chmod": chmod, "df": df, "du": du, "dd": dd, "find": find, "basename": basename, "dirname": basename,
        "readlink": readlink, "realpath": readlink, "chown": change_owner, "chgrp": change_owner, "chcon": change_owner,
        "restorecon": change_owner,
    }.items()
}  # fmt: skip
