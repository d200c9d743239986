"""Text tools: echo, cat, grep, head, tail, wc, sort, cut, tr, xargs as far as callers use them."""

import base64
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable

from virtual_phone.commands.options import ProgramUsageError, parse
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.shell.io import PIPE_SIZE, FromBytes, Input, read_all
from virtual_phone.state.files import FileError

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b"}
_LONG = {
    "--max-count": "-m",
    "--after-context": "-A",
    "--ignore-case": "-i",
    "--invert-match": "-v",
    "--only-matching": "-o",
}


def checked(tool: Callable[[ProgramCall], Awaitable[int]]) -> Program:
    """The tool, with usage and file errors printed as toybox prints them."""

    async def run(call: ProgramCall) -> int:
        try:
            return await tool(call)
        except ProgramUsageError as error:
            return await call.fail(f'{call.name}: {error} (see "{call.name} --help")')
        except FileError as error:
            return await call.fail(f"{call.name}: {error}")

    return run


def unescape(text: str) -> str:
    """Backslash sequences as ``echo -e`` and ``printf`` read them."""
    return re.sub(r"\\([ntrabe0\\])", lambda match: _ESCAPES[match[1]], text)


async def lines(source: Input) -> AsyncIterator[str]:
    """Lines as they arrive, without line ends."""
    rest = b""
    while chunk := await source.read():
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


def source_of(call: ProgramCall, name: str) -> Input:
    """An operand's input: ``-`` is standard input."""
    return call.streams.stdin if name == "-" else call.shell.open_input(call.shell.path(name))


async def gather(call: ProgramCall, names: list[str]) -> bytes:
    """The contents of the operands one after the other; standard input without any."""
    return b"".join([await read_all(source_of(call, name)) for name in names or ["-"]])


async def echo(call: ProgramCall) -> int:
    """mksh's ``echo``: escapes count unless ``-E`` is given, and ``\\c`` ends the output (mksh R59, manual)."""
    args, newline, escapes = call.args, True, True
    while args and re.fullmatch(r"-[neE]+", args[0]):
        newline = newline and "n" not in args[0]
        escapes = re.findall("[eE]", "E" * (not escapes) + args[0])[-1:] != ["E"]
        args = args[1:]
    text, end = " ".join(args), "\n" if newline else ""
    if escapes:
        text, stop, _ = _before_stop(text)
        text, end = _ECHO_ESCAPE.sub(_echo_character, text), "" if stop else end
    await call.out(text + end)
    return 0


_ECHO_ESCAPE = re.compile(r"\\(?:0([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([abefnrtv\\]))")


def _before_stop(text: str) -> tuple[str, str, str]:
    r"""The text before the first ``\c`` that is not itself escaped."""
    match = re.search(r"(?<!\\)(?:\\\\)*(\\c)", text)
    return (text[: match.start(1)], match[1], text[match.end(1) :]) if match else (text, "", "")


def _echo_character(match: re.Match[str]) -> str:
    octal, digits, letter = match.groups()
    if octal or digits:
        return chr(int(octal, 8) if octal else int(digits, 16))
    return {"f": "\f", "v": "\v"}.get(letter) or _ESCAPES[letter]


async def printf(call: ProgramCall) -> int:
    if not call.args:
        raise ProgramUsageError("Needs 1 argument")
    pattern, values = unescape(call.args[0]), call.args[1:]
    count = len(re.findall(r"%[^%]", pattern))
    rounds = max(1, -(-len(values) // count)) if count else 1
    supply = iter(values)

    def field(match: re.Match[str]) -> str:
        if match[0] == "%%":
            return "%"
        value = next(supply, "")
        if match[0][-1] in "dxX":
            return match[0] % int(value or 0)
        return match[0].replace("b", "s") % value

    for _ in range(rounds):
        await call.out(re.sub(r"%%|%-?0?\d*[sdxXb]", field, pattern))
    return 0


async def cat(call: ProgramCall) -> int:
    _, names = parse(call.args, "uvet")
    status = 0
    for name in names or ["-"]:
        try:
            source = source_of(call, name)
            while chunk := await source.read():
                await call.out(chunk)
        except FileError as error:
            status = await call.fail(f"cat: {error}")
    return status


def expression(options: dict[str, str], pattern: str) -> re.Pattern[str]:
    """A regular expression as grep's options ``F``, ``E``, ``w``, ``x`` and ``i`` have it read."""
    if "F" in options:
        pattern = "|".join(re.escape(part) for part in pattern.split("\n"))
    elif "E" not in options:
        # Basic expressions: \| \( \) \{ \} \+ \? are operators, the bare characters are literal.
        swap = re.compile(r"\\([|(){}+?])|([|(){}+?])")
        pattern = swap.sub(lambda match: match[1] or "\\" + match[2], pattern)
    if "w" in options:
        pattern = rf"\b(?:{pattern})\b"
    if "x" in options:
        pattern = f"^(?:{pattern})$"
    try:
        return re.compile(pattern, re.IGNORECASE if "i" in options else 0)
    except re.error as error:
        raise ProgramUsageError(f"bad REGEX '{pattern}': {error}") from error


async def grep(call: ProgramCall) -> int:
    args = [_LONG.get(word, word) for word in call.args]
    options, operands = parse(args, "EFGiovclqnswxhHra", "mABCe")
    if call.name in ("egrep", "fgrep"):
        options[call.name[0].upper()] = ""
    if "e" not in options and not operands:
        raise ProgramUsageError("no REGEX")
    pattern = expression(options, options["e"] if "e" in options else operands.pop(0))
    found = 0
    for name in operands or ["-"]:
        prefix = f"{name}:" if (len(operands) > 1 or "H" in options) and "h" not in options else ""
        found += await _grep_one(call, source_of(call, name), pattern, options, prefix)
    return 0 if found else 1


async def _grep_one(
    call: ProgramCall, source: Input, pattern: re.Pattern[str], options: dict[str, str], prefix: str
) -> int:
    found, trailing, number = 0, 0, 0
    before: list[str] = []
    limit = int(options.get("m", 0))
    context = {letter: int(options.get(letter, options.get("C", 0))) for letter in "AB"}
    quiet = "q" in options or "c" in options or "l" in options
    async for line in lines(source):
        number += 1
        where = prefix + (f"{number}:" if "n" in options else "")
        if bool(pattern.search(line)) != ("v" in options):
            found += 1
            if not quiet:
                shown = [match[0] for match in pattern.finditer(line) if match[0]] if "o" in options else [line]
                await call.out("".join(f"{where}{text}\n" for text in before + shown))
            before, trailing = [], context["A"]
            if found == limit and not trailing:
                break
        elif trailing:
            trailing -= 1
            await call.out(f"{where}{line}\n")
        elif found and found == limit:
            break
        elif context["B"]:
            before = [*before, line][-context["B"] :]
    if "c" in options:
        await call.out(f"{prefix}{found}\n")
    if "l" in options and found:
        await call.out(prefix.rstrip(":") + "\n")
    return found


async def _pass_on(call: ProgramCall, source: Input, size: int) -> None:
    """The first bytes of a source that may be endless."""
    while size > 0 and (chunk := await source.read(min(size, PIPE_SIZE))):
        await call.out(chunk)
        size -= len(chunk)


async def head(call: ProgramCall) -> int:
    args = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in call.args]
    options, names = parse(args, "q", "nc")
    if "c" in options:
        for name in names or ["-"]:
            await _pass_on(call, source_of(call, name), int(options["c"]))
        return 0
    left = int(options.get("n", 10))
    for name in names or ["-"]:
        if left <= 0:
            break
        async for line in lines(source_of(call, name)):
            await call.out(line + "\n")
            left -= 1
            if left <= 0:
                break
    return 0


async def tail(call: ProgramCall) -> int:
    args = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in call.args]
    options, names = parse(args, "qf", "nc")
    data = await gather(call, names)
    if "c" in options:
        await call.out(data[-int(options["c"]) :])
        return 0
    count = options.get("n", "10")
    rows = data.decode(errors="replace").splitlines(keepends=True)
    await call.out("".join(rows[int(count) - 1 :] if count.startswith("+") else rows[-int(count) or len(rows) :]))
    return 0


async def wc(call: ProgramCall) -> int:
    options, names = parse(call.args, "lwcm")
    for name in names or ["-"]:
        data = await read_all(source_of(call, name))
        counts = {
            "l": data.count(b"\n"),
            "w": len(data.split()),
            "c": len(data),
            "m": len(data.decode(errors="replace")),
        }
        wanted = [str(counts[letter]) for letter in "lwcm" if letter in (options or "lwc")]
        await call.out(" ".join(wanted + ([name] if names else [])) + "\n")
    return 0


async def sort(call: ProgramCall) -> int:
    options, names = parse(call.args, "rnu", "kt")
    rows = (await gather(call, names)).decode(errors="replace").splitlines()
    numeric = "n" in options

    def key(row: str) -> tuple[float, str]:
        number = re.match(r"\s*-?\d+(\.\d+)?", row)
        return (float(number[0]) if numeric and number else 0.0, row)

    rows = sorted(set(rows) if "u" in options else rows, key=key, reverse="r" in options)
    await call.out("".join(f"{row}\n" for row in rows))
    return 0


async def uniq(call: ProgramCall) -> int:
    _, names = parse(call.args, "cdu")
    previous: str | None = None
    for row in (await gather(call, names)).decode(errors="replace").splitlines():
        if row != previous:
            await call.out(row + "\n")
        previous = row
    return 0


async def cut(call: ProgramCall) -> int:
    options, names = parse(call.args, "s", "dfc")
    fields = options.get("f", options.get("c", ""))
    picks = [part.partition("-") for part in fields.split(",")]
    delimiter = options.get("d", "\t")
    async for line in lines(FromBytes(await gather(call, names))):
        cells = line.split(delimiter) if "f" in options else list(line)
        chosen = [cell for start, dash, end in picks for cell in cells[int(start or 1) - 1 : _end(start, dash, end)]]
        await call.out((delimiter if "f" in options else "").join(chosen) + "\n")
    return 0


def _end(start: str, dash: str, end: str) -> int | None:
    if not dash:
        return int(start)
    return int(end) if end else None


async def tr(call: ProgramCall) -> int:
    options, sets = parse(call.args, "ds")
    data = (await read_all(call.streams.stdin)).decode(errors="replace")
    old = _characters(unescape(sets[0]))
    if "d" in options:
        await call.out("".join(character for character in data if character not in old))
        return 0
    new = _characters(unescape(sets[1] if len(sets) > 1 else ""))
    padded = new + new[-1:] * (len(old) - len(new))
    await call.out(data.translate(str.maketrans(old[: len(padded)], padded[: len(old)])))
    return 0


def _characters(text: str) -> str:
    expand = re.compile(r"(.)-(.)")
    return expand.sub(lambda match: "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1))), text)


async def xargs(call: ProgramCall) -> int:
    options, command = parse(call.args, "0r", "nI")
    words = (await read_all(call.streams.stdin)).decode(errors="replace").split("\0" if "0" in options else None)
    return await call.shell.execute([*(command or ["echo"]), *words], call.streams)


async def tee(call: ProgramCall) -> int:
    _, names = parse(call.args, "ai")
    data = await read_all(call.streams.stdin)
    await call.out(data)
    for name in names:
        writer = call.files.open_writer(call.shell.path(name))
        writer.write(data)
        writer.close()
    return 0


async def digest(call: ProgramCall) -> int:
    algorithm = call.name.removesuffix("sum")
    _, names = parse(call.args, "bc")
    status = 0
    for name in names or ["-"]:
        try:
            if name == "-":
                total = hashlib.new(algorithm, await read_all(call.streams.stdin), usedforsecurity=False).hexdigest()
            else:
                total = call.files.read(call.shell.path(name)).digest(algorithm)
            await call.out(f"{total}  {name}\n")
        except FileError as error:
            status = await call.fail(f"{call.name}: {name}: {error.reason}")
    return status


async def base64_tool(call: ProgramCall) -> int:
    options, names = parse(call.args, "di", "w")
    data = await gather(call, names)
    await call.out(base64.b64decode(data) if "d" in options else base64.encodebytes(data))
    return 0


PROGRAMS: dict[str, Program] = {
    name: checked(tool)
    for name, tool in {
        "echo": echo, "printf": printf, "cat": cat, "grep": grep, "egrep": grep, "fgrep": grep, "head": head,
        "tail": tail, "wc": wc, "sort": sort, "uniq": uniq, "cut": cut, "tr": tr, "xargs": xargs,
        "tee": tee, "md5sum": digest, "sha1sum": digest, "sha256sum": digest, "base64": base64_tool,
    }.items()
}  # fmt: skip
