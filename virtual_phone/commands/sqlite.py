"""``sqlite3``: runs SQL on a database file of the phone (SQLite's shell, ``shell.c``, as Android 14 has it: 3.39)."""

import json
import posixpath
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from virtual_phone.databases.mapping import Cell, opened
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state.files import FileError

_DEADLINE = 10_000_000
"""SQLite virtual-machine steps after which a statement is cut off."""
_MODES = {"-list": "list", "-json": "json", "-csv": "csv", "-line": "line", "-column": "list"}
_VALUED = ("-separator", "-nullvalue", "-cmd", "-init", "-newline")


@dataclass
class _Output:
    """How rows are printed."""

    mode: str = "list"
    header: bool = False
    separator: str = "|"
    null: str = ""
    lines: list[str] = field(default_factory=list)

    def show(self, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """Add the rows of one statement."""
        found = [list(row) for row in rows]
        if self.mode == "json":
            shown = [dict(zip(names, map(_json_value, row), strict=True)) for row in found]
            body = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in shown)
            self.lines += [f"[{body}]"] if found else []
            return
        if self.mode == "line":
            width = max(map(len, names), default=0)
            blocks = [[f"{name:>{width}} = {self._text(cell)}" for name, cell in zip(names, row, strict=True)]
                      for row in found]  # fmt: skip
            self.lines += ["\n".join(block) for block in blocks]
            return
        separator = "," if self.mode == "csv" else self.separator
        table = ([list(names)] if self.header and found else []) + [[self._text(cell) for cell in row] for row in found]
        self.lines += [separator.join(_quoted(cell) if self.mode == "csv" else cell for cell in row) for row in table]

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return self.null
        if isinstance(cell, float):
            text = f"{cell:.15g}"
            return text if re.search(r"[.eni]", text) else f"{text}.0"
        return cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)


def _json_value(cell: Cell) -> str | int | float | None:
    return cell.decode(errors="replace") if isinstance(cell, bytes) else cell


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\s]', text) else text


async def sqlite(call: ProgramCall) -> int:
    """``sqlite3 [OPTIONS] FILE [SQL]``; without SQL it reads statements and dot commands from standard input."""
    output, operands, script = _options(call.args)
    path = call.shell.path(operands[0]) if operands else ""
    script += operands[1:]
    if len(operands) < 2:
        script.append(await _everything(call))
    try:
        return await _run(call, path, script, output, "in prepare, " if len(operands) > 1 else "")
    except FileError as error:
        return await call.fail(f"Error: {error.reason}")


def _options(args: Sequence[str]) -> tuple[_Output, list[str], list[str]]:
    output, words = _Output(), list(args)
    operands: list[str] = []
    script: list[str] = []
    while words:
        word = words.pop(0)
        option = word.replace("--", "-", 1)
        if not word.startswith("-") or operands:
            operands.append(word)
        elif option in _VALUED and words:
            value = words.pop(0)
            output.separator = value if option == "-separator" else output.separator
            output.null = value if option == "-nullvalue" else output.null
            script += [value] if option == "-cmd" else []
        elif option in ("-header", "-noheader"):
            output.header = option == "-header"
        else:
            output.mode = _MODES.get(option) or output.mode
    return output, operands, script


async def _everything(call: ProgramCall) -> str:
    data = b""
    while chunk := await call.streams.stdin.read():
        data += chunk
    return data.decode(errors="replace")


async def _run(call: ProgramCall, path: str, script: list[str], output: _Output, place: str) -> int:
    before = _contents(call, path)
    with opened(before) as (connection, copy):
        connection.set_progress_handler(_cut_off(), 1000)
        error = ""
        for part in _statements(script):
            error = _execute(connection, part, output, place)
            if error:
                break
        await call.out("".join(f"{line}\n" for line in output.lines))
        connection.close()
        after = copy.read_bytes()
    if path and after != before:
        writer = call.files.open_writer(path)
        writer.write(after)
        writer.close()
    return await call.fail(error) if error else 0


def _contents(call: ProgramCall, path: str) -> bytes:
    """The file's bytes; nothing for a new file in an existing folder."""
    if not path or path == ":memory:":
        return b""
    try:
        return call.files.read(path).read()
    except FileError as error:
        folder = call.files.stat(posixpath.dirname(path))
        if error.reason == "No such file or directory" and folder is not None:
            return b""
        raise FileError(path, f'unable to open database "{path}": unable to open database file') from error


def _cut_off() -> "_Steps":
    return _Steps(_DEADLINE // 1000)


class _Steps:
    """Counts down SQLite's steps; ends the statement at 0."""

    def __init__(self, left: int) -> None:
        self._left = left

    def __call__(self) -> int:
        self._left -= 1
        return int(self._left < 0)


def _statements(script: Sequence[str]) -> list[str]:
    """SQL statements and dot commands, one by one."""
    found: list[str] = []
    for text in script:
        pending = ""
        for line in text.splitlines(keepends=True):
            if not pending.strip() and line.startswith("."):
                found.append(line.strip())
                continue
            for piece in re.split(r"(;)", line):
                pending += piece
                if piece == ";" and sqlite3.complete_statement(pending):
                    found.append(pending)
                    pending = ""
        found += [pending] if pending.strip() else []
    return found


def _execute(connection: sqlite3.Connection, part: str, output: _Output, place: str) -> str:
    """Run a statement or dot command; returns the error's text, empty for none."""
    if part.startswith("."):
        return _dot_command(connection, part.split(), output)
    try:
        cursor = connection.execute(part)
        output.show([column[0] for column in cursor.description or ()], cursor)
    except (sqlite3.Error, sqlite3.Warning) as error:
        stepping = isinstance(error, sqlite3.IntegrityError)
        text = f"stepping, {error} (19)" if stepping else f"{place}{error}"
        return f"Error: {text}" if place or stepping else f"Parse error near line 1: {error}"
    return ""


def _dot_command(connection: sqlite3.Connection, words: Sequence[str], output: _Output) -> str:
    name, value = words[0], words[1] if len(words) > 1 else ""
    if name == ".tables":
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY 1")
        output.lines += [" ".join(str(row[0]) for row in rows if not str(row[0]).startswith("sqlite_"))]
    elif name == ".schema":
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL AND ? IN ('', tbl_name)", [value])
        output.lines += [f"{row[0]};" for row in rows]
    elif name in (".header", ".headers"):
        output.header = value in ("on", "yes", "1")
    elif name == ".mode":
        output.mode = value
    elif name == ".separator":
        output.separator = value
    elif name not in (".quit", ".exit", ".timeout"):
        return f'Error: unknown command or invalid arguments:  "{name[1:]}". Enter ".help" for help'
    return ""


PROGRAMS: dict[str, Program] = {"sqlite3": sqlite}
