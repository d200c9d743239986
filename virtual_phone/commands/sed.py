"""``sed``: addresses, blocks and the functions ``s p d q h H g G x`` (POSIX, sed)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from virtual_phone.commands.options import ProgramUsageError, parse
from virtual_phone.commands.text import checked, expression, gather
from virtual_phone.shell.call import Program, ProgramCall

_ADDRESS = re.compile(r"(?P<number>\d+)|(?P<last>\$)|/(?P<match>(?:[^/\\]|\\.)*)/")
_PLAIN = "pdqhHgGx"


@dataclass(frozen=True)
class SedFunction:
    """One function, for the lines that its addresses select: none, one or a range."""

    addresses: tuple[str, ...]
    negated: bool
    name: str
    arguments: tuple[str, ...] = ()
    block: "tuple[SedFunction, ...]" = ()


class SedScript:
    """Reads a script."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def functions(self, *, inner: bool = False) -> tuple[SedFunction, ...]:
        """The functions up to the end, or to the brace that closes a block."""
        found: list[SedFunction] = []
        while True:
            self._skip("; \t\n")
            if self._at == len(self._text) and not inner:
                return tuple(found)
            if inner and self._take("}"):
                return tuple(found)
            found.append(self._function())

    def _function(self) -> SedFunction:
        addresses = self._addresses()
        self._skip(" \t")
        negated = self._take("!")
        name = self._text[self._at : self._at + 1]
        self._at += 1
        if name == "{":
            return SedFunction(addresses, negated, name, block=self.functions(inner=True))
        if name == "s":
            return SedFunction(addresses, negated, name, self._substitution())
        if not name or name not in _PLAIN:
            raise ProgramUsageError(f"unknown pattern '{self._text}'")
        return SedFunction(addresses, negated, name)

    def _addresses(self) -> tuple[str, ...]:
        found: list[str] = []
        while (match := _ADDRESS.match(self._text, self._at)) is not None:
            found.append(match[0])
            self._at = match.end()
            if len(found) == 2 or not self._take(","):
                break
        return tuple(found)

    def _substitution(self) -> tuple[str, ...]:
        """Old, new and flags, whatever character separates them."""
        mark = self._text[self._at : self._at + 1]
        parts = re.compile(rf"((?:[^\\{mark}]|\\.)*){re.escape(mark)}", re.DOTALL) if mark else None
        old = parts.match(self._text, self._at + 1) if parts else None
        new = parts.match(self._text, old.end()) if parts and old else None
        if old is None or new is None:
            raise ProgramUsageError(f"unknown pattern '{self._text}'")
        flags = re.compile("[gip]*").match(self._text, new.end())
        self._at = flags.end() if flags else new.end()
        unescaped = (part[1].replace("\\" + mark, mark) for part in (old, new))
        return (*unescaped, flags[0] if flags else "")

    def _skip(self, characters: str) -> None:
        while self._at < len(self._text) and self._text[self._at] in characters:
            self._at += 1

    def _take(self, character: str) -> bool:
        found = self._text.startswith(character, self._at)
        self._at += len(character) * found
        return found


@dataclass
class StreamEditor:
    """Runs a script over lines; ``out`` is what it printed."""

    functions: Sequence[SedFunction]
    options: dict[str, str]
    pattern: str = ""
    hold: str = ""
    out: list[str] = field(default_factory=list)
    ended: bool = False
    _open: set[SedFunction] = field(default_factory=set)
    """Functions whose range has begun and not ended."""

    def run(self, rows: Sequence[str]) -> None:
        """Edit all lines."""
        for number, row in enumerate(rows, start=1):
            self.pattern = row
            if self._cycle(self.functions, number, number == len(rows)) and "n" not in self.options:
                self.out.append(self.pattern)
            if self.ended:
                return

    def _cycle(self, functions: Sequence[SedFunction], number: int, last: bool) -> bool:
        """Whether the line is left to print: ``d`` deletes it."""
        for function in functions:
            if self._selects(function, number, last) == function.negated:
                continue
            if function.name == "d":
                return False
            if function.name == "{":
                if not self._cycle(function.block, number, last):
                    return False
            else:
                self._apply(function)
            if self.ended:
                return True
        return True

    def _apply(self, function: SedFunction) -> None:
        if function.name == "s":
            self._substitute(*function.arguments)
        elif function.name == "p":
            self.out.append(self.pattern)
        elif function.name == "q":
            self.ended = True
        elif function.name in "hH":
            self.hold = self.pattern if function.name == "h" else f"{self.hold}\n{self.pattern}"
        elif function.name in "gG":
            self.pattern = self.hold if function.name == "g" else f"{self.pattern}\n{self.hold}"
        else:
            self.pattern, self.hold = self.hold, self.pattern

    def _substitute(self, old: str, new: str, flags: str) -> None:
        kind = {"i": ""} if "i" in flags else {}
        pattern = expression(kind | self.options, old)
        template = re.sub(r"\\.|&", lambda match: r"\g<0>" if match[0] == "&" else match[0].replace("\\&", "&"), new)
        self.pattern, changes = pattern.subn(template, self.pattern, count=0 if "g" in flags else 1)
        if changes and "p" in flags:
            self.out.append(self.pattern)

    def _selects(self, function: SedFunction, number: int, last: bool) -> bool:
        addresses = function.addresses
        if len(addresses) < 2:
            return not addresses or self._at(addresses[0], number, last)
        if function in self._open:
            end = addresses[1]
            if self._at(end, number, last) or (end.isdigit() and number >= int(end)):
                self._open.discard(function)
            return not end.isdigit() or number <= int(end)
        if self._at(addresses[0], number, last):
            if not addresses[1].isdigit() or int(addresses[1]) > number:
                self._open.add(function)
            return True
        return False

    def _at(self, address: str, number: int, last: bool) -> bool:
        if address.isdigit():
            return number == int(address)
        return last if address == "$" else expression(self.options, address[1:-1]).search(self.pattern) is not None


async def sed(call: ProgramCall) -> int:
    """``sed [-nEr] [-e] SCRIPT [FILE …]``."""
    options, operands = parse(call.args, "nEr", "e")
    functions = SedScript(options["e"] if "e" in options else operands.pop(0)).functions()
    if "r" in options:
        options["E"] = ""
    editor = StreamEditor(functions, options)
    editor.run((await gather(call, operands)).decode(errors="replace").splitlines())
    await call.out("".join(f"{row}\n" for row in editor.out))
    return 0


PROGRAMS: dict[str, Program] = {"sed": checked(sed)}
