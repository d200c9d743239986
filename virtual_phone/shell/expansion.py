"""Expands words to the strings that a command receives: parameters, substitutions, splitting, globs."""

import fnmatch
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from virtual_phone.shell.arithmetic import evaluate
from virtual_phone.shell.syntax import Arithmetic, LiteralText, Parameter, Script, ShellSyntaxError, Word, WordPart

_SPLIT = re.compile(r"[ \t\n]+")
_GLOB = re.compile(r"[*?\[]")


@dataclass
class Variables:
    """The variables and parameters of a shell."""

    values: dict[str, str]
    positional: list[str] = field(default_factory=list)
    status: int = 0
    name: str = "/system/bin/sh"

    def get(self, name: str) -> str | None:
        """The value of a named, positional or special parameter; None when unset."""
        special = {"?": str(self.status), "#": str(len(self.positional)), "$": "4242", "!": "", "-": "", "0": self.name}
        if name in special:
            return special[name]
        if name in ("@", "*"):
            return " ".join(self.positional)
        if name.isdigit():
            index = int(name) - 1
            return self.positional[index] if index < len(self.positional) else None
        return self.values.get(name)


class Expander:
    """Expands words; ``substitute`` runs a script and gives its output, ``paths`` lists a directory for globs."""

    def __init__(
        self,
        variables: Variables,
        substitute: Callable[[Script], Awaitable[str]],
        glob: Callable[[str], Iterable[str]],
    ) -> None:
        self._variables, self._substitute, self._glob = variables, substitute, glob

    async def fields(self, words: Iterable[Word]) -> list[str]:
        """The command's words: each word may become none, one or several strings."""
        result: list[str] = []
        for word in words:
            for pieces in await self._split(word):
                result.extend(self._globbed(pieces))
        return result

    async def text(self, word: Word) -> str:
        """One string, neither split nor globbed: assignments, redirection targets, case subjects."""
        return "".join([await self._value(part) for part in word.parts])

    async def pattern(self, word: Word) -> str:
        """One glob pattern: quoted characters match themselves."""
        pieces = [(await self._value(part), _is_quoted(part)) for part in word.parts]
        return "".join(_escape(text) if quoted else text for text, quoted in pieces)

    async def _split(self, word: Word) -> list[list[tuple[str, bool]]]:
        if [part.name for part in word.parts if isinstance(part, Parameter)] == ["@"] and len(word.parts) <= 2:
            return [[(value, True)] for value in self._variables.positional]
        fields: list[list[tuple[str, bool]]] = []
        current: list[tuple[str, bool]] = []
        for part in word.parts:
            value = await self._value(part)
            if isinstance(part, LiteralText) or _is_quoted(part):
                current.append((value, _is_quoted(part)))
                continue
            chunks = _SPLIT.split(value)
            current.append((chunks[0], False))
            for chunk in chunks[1:]:
                fields.append(current)
                current = [(chunk, False)]
        fields.append(current)
        return [pieces for pieces in fields if any(text or quoted for text, quoted in pieces)]

    def _globbed(self, pieces: list[tuple[str, bool]]) -> list[str]:
        plain = "".join(text for text, _ in pieces)
        if not any(not quoted and _GLOB.search(text) for text, quoted in pieces):
            return [plain]
        pattern = "".join(_escape(text) if quoted else text for text, quoted in pieces)
        return sorted(self._glob(pattern)) or [plain]

    async def _value(self, part: WordPart) -> str:
        if isinstance(part, LiteralText):
            return part.value
        if isinstance(part, Parameter):
            return await self._parameter(part)
        if isinstance(part, Arithmetic):
            return str(evaluate(await self.text(part.expression), self._variables.get))
        return (await self._substitute(part.script)).rstrip("\n")

    async def _parameter(self, part: Parameter) -> str:
        value = self._variables.get(part.name)
        if part.operator == "length":
            return str(len(value or ""))
        if not part.operator or part.word is None:
            return value or ""
        if part.operator in _EDITS:
            return await self._edited(value or "", part, part.word)
        return await self._given(value, part, part.word)

    async def _edited(self, value: str, part: Parameter, word: Word) -> str:
        """The value without, or with another text for, what matches a pattern."""
        pattern = await self.pattern(word)
        if part.operator[0] != "/":
            return _trim(value, part.operator, pattern)
        other = await self.text(part.replacement) if part.replacement else ""
        return _replaced(value, pattern, other, everywhere=part.operator == "//")

    async def _given(self, value: str | None, part: Parameter, given: Word) -> str:
        """The value or, for a missing one, the word: ``-``, ``=``, ``?`` and ``+``."""
        missing = not value if part.operator.startswith(":") else value is None
        kind = part.operator[-1]
        if kind == "+":
            return "" if missing else await self.text(given)
        if not missing:
            return value or ""
        word = await self.text(given)
        if kind == "?":
            raise ShellSyntaxError(f"{part.name}: {word or 'parameter null or not set'}")
        if kind == "=":
            self._variables.values[part.name] = word
        return word


_EDITS = ("#", "##", "%", "%%", "/", "//")
"""Operators that change the value by a pattern."""


def _is_quoted(part: WordPart) -> bool:
    return part.quoted


def _escape(text: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", text)


def _replaced(value: str, pattern: str, other: str, *, everywhere: bool) -> str:
    """``value`` with the longest match of a pattern replaced, or all; ``#`` and ``%`` bind it to the start or end.

    Source: mksh(1), "${name/pattern/string}".
    """
    anchor = pattern[:1] if pattern[:1] in ("#", "%") else ""
    # fnmatch ends its expression with one that matches at the end only.
    expression = fnmatch.translate(pattern[len(anchor) :]).removesuffix(r"\Z").removesuffix(r"\z")
    if pattern == anchor:
        return value
    expression = {"#": r"\A", "%": ""}.get(anchor, "") + expression + {"%": r"\Z"}.get(anchor, "")
    return re.sub(expression, lambda match: other, value, count=0 if everywhere and not anchor else 1)


def _trim(value: str, operator: str, pattern: str) -> str:
    """``value`` without the shortest or longest part at its start (#) or end (%) that matches."""
    cuts = range(len(value) + 1)
    if operator[0] == "#":
        order = cuts if operator == "#" else reversed(cuts)
        return next((value[cut:] for cut in order if fnmatch.fnmatchcase(value[:cut], pattern)), value)
    order = reversed(cuts) if operator == "%" else cuts
    return next((value[:cut] for cut in order if fnmatch.fnmatchcase(value[cut:], pattern)), value)
