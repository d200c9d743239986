"""Reads words: quotes, escapes, parameters, substitutions, arithmetic."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from virtual_phone.shell.syntax import (
    Arithmetic,
    LiteralText,
    Parameter,
    Script,
    ShellSyntaxError,
    Substitution,
    Word,
    WordPart,
)

ENDS_WORD = frozenset(" \t\r\n;&|<>()")
_MAX_DEPTH = 40
_BLANKS = " \t\r"
_SPECIAL_PARAMETERS = frozenset("?#$@*!-0123456789")
_OPERATORS = (":-", ":=", ":+", ":?", "-", "=", "+", "?", "##", "#", "%%", "%", "//", "/")


class WordParser(ABC):
    """Parses words from a cursor on the source; the subclass parses the scripts inside ``$( )``."""

    def __init__(self, source: str, depth: int = 0) -> None:
        self._source, self._at, self._depth = source, 0, depth

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        """Count one more level of nesting; hostile lines must not exhaust the stack."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        yield
        self._depth -= 1

    @abstractmethod
    def script(self) -> Script:
        """Parse the commands of a nested script, up to the token that closes it."""

    @abstractmethod
    def _nested(self, source: str) -> "WordParser":
        """A parser of the same kind for text inside a word."""

    # --- characters -------------------------------------------------------------------------------------------
    def _peek(self, size: int = 1) -> str:
        return self._source[self._at : self._at + size]

    def _looking_at(self, text: str) -> bool:
        return self._source.startswith(text, self._at)

    def _take(self, text: str) -> bool:
        if self._looking_at(text):
            self._at += len(text)
            return True
        return False

    def _until(self, closer: str) -> str:
        end = self._source.find(closer, self._at)
        if end < 0:
            raise ShellSyntaxError(f"syntax error: no closing quote {closer}")
        text = self._source[self._at : end]
        self._at = end + len(closer)
        return text

    def _skip_blanks(self) -> None:
        while self._peek():
            if self._peek() in _BLANKS:
                self._at += 1
            elif self._looking_at("\\\n"):
                self._at += 2
            elif self._peek() == "#" and (self._at == 0 or self._source[self._at - 1] in " \t\r\n;&|("):
                end = self._source.find("\n", self._at)
                self._at = len(self._source) if end < 0 else end
            else:
                return

    def _skip_lines(self) -> None:
        self._skip_blanks()
        while self._take("\n"):
            self._skip_blanks()

    def _unexpected(self) -> ShellSyntaxError:
        found = next((op for op in (";;", "&&", "||") if self._looking_at(op)), self._peek())
        found = {"": "EOF", "\n": "newline"}.get(found, found)
        return ShellSyntaxError(f"syntax error: unexpected '{found}'")

    # --- words ------------------------------------------------------------------------------------------------
    def _word(self) -> Word:
        parts: list[WordPart] = []
        while self._peek() and self._peek() not in ENDS_WORD:
            parts.extend(self._part())
        if not parts:
            raise self._unexpected()
        return Word(tuple(parts))

    def _part(self) -> list[WordPart]:
        character = self._peek()
        if character == "'":
            self._at += 1
            return [LiteralText(self._until("'"), quoted=True)]
        if character == '"':
            self._at += 1
            return self._double_quoted()
        if character == "\\":
            escaped = self._source[self._at + 1 : self._at + 2]
            self._at += 2
            return [] if escaped == "\n" else [LiteralText(escaped or "\\", quoted=True)]
        if character in "$`":
            return [self._dollar(quoted=False)]
        return [LiteralText(self._literal())]

    def _literal(self) -> str:
        start = self._at
        while self._peek() and self._peek() not in ENDS_WORD and self._peek() not in "'\"\\$`":
            self._at += 1
        return self._source[start : self._at]

    def _double_quoted(self) -> list[WordPart]:
        parts: list[WordPart] = [LiteralText("", quoted=True)]
        while not self._take('"'):
            if not self._peek():
                raise ShellSyntaxError("syntax error: no closing quote")
            parts.append(self._quoted_part('"'))
        return parts

    def double_quoted_text(self) -> list[WordPart]:
        """The parts of a here-document whose delimiter is not quoted."""
        parts: list[WordPart] = []
        while self._peek():
            parts.append(self._quoted_part(""))
        return parts

    def _quoted_part(self, closer: str) -> WordPart:
        if self._peek() in "$`":
            return self._dollar(quoted=True)
        if self._peek() == "\\":
            escaped = self._source[self._at + 1 : self._at + 2]
            self._at += 2
            if escaped == "\n":
                return LiteralText("", quoted=True)
            return LiteralText(escaped if escaped and escaped in '\\"$`' else "\\" + escaped, quoted=True)
        start = self._at
        while self._peek() and self._peek() not in "\\$`" + closer:
            self._at += 1
        return LiteralText(self._source[start : self._at], quoted=True)

    def _dollar(self, *, quoted: bool) -> WordPart:
        with self._deeper():
            return self._expansion(quoted)

    def _expansion(self, quoted: bool) -> WordPart:
        if self._take("`"):
            script = self._nested(self._until("`").replace("\\`", "`")).script()
            return Substitution(script, quoted)
        if self._looking_at("$((") and (arithmetic := self._arithmetic(quoted)) is not None:
            return arithmetic
        self._at += 1
        if self._take("("):
            script = self.script()
            if not self._take(")"):
                raise self._unexpected()
            return Substitution(script, quoted)
        if self._take("{"):
            return self._braced(quoted)
        if self._peek() and self._peek() in _SPECIAL_PARAMETERS:
            self._at += 1
            return Parameter(self._source[self._at - 1], quoted=quoted)
        name = self._name()
        return Parameter(name, quoted=quoted) if name else LiteralText("$", quoted)

    def _name(self) -> str:
        start = self._at
        while self._peek() and (self._peek() == "_" or self._peek().isalnum()) and self._peek().isascii():
            self._at += 1
        return self._source[start : self._at]

    def _arithmetic(self, quoted: bool) -> Arithmetic | None:
        depth, end = 0, self._at + 3
        while end < len(self._source):
            if self._source[end] == "(":
                depth += 1
            elif self._source[end] == ")":
                if depth == 0:
                    break
                depth -= 1
            end += 1
        if not self._source.startswith("))", end):
            return None
        expression = self._nested(self._source[self._at + 3 : end]).double_quoted_text()
        self._at = end + 2
        return Arithmetic(Word(tuple(expression)), quoted)

    def _braced(self, quoted: bool) -> Parameter:
        length = self._peek() == "#" and self._source[self._at + 1 : self._at + 2] != "}"
        if length:
            self._at += 1
        name = self._name()
        if not name and self._peek() and self._peek() in _SPECIAL_PARAMETERS:
            name = self._peek()
            self._at += 1
        operator = next((op for op in _OPERATORS if self._looking_at(op)), "")
        self._at += len(operator)
        replaces = operator in ("/", "//")
        parts = self._brace_parts("}/" if replaces else "}")
        other = self._brace_parts("}") if replaces and self._take("/") else []
        self._at += 1
        if not name or (parts and not operator):
            raise ShellSyntaxError("bad substitution")
        return Parameter(name, "length" if length else operator, Word(tuple(parts)), quoted, Word(tuple(other)))

    def _brace_parts(self, ends: str) -> list[WordPart]:
        """The parts up to one of the characters, which is left."""
        parts: list[WordPart] = []
        while not self._peek() or self._peek() not in ends:
            if not self._peek():
                raise ShellSyntaxError("syntax error: no closing }")
            parts.extend(self._brace_part(ends))
        return parts

    def _brace_part(self, ends: str) -> list[WordPart]:
        if self._peek() in "'\"\\$`":
            return self._part()
        start = self._at
        while self._peek() and self._peek() not in ends + "'\"\\$`":
            self._at += 1
        return [LiteralText(self._source[start : self._at])]
