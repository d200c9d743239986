"""From a shell line to its syntax tree: a recursive descent over the characters."""

from android_bridge.virtual.shell.syntax import (
    Arithmetic,
    Case,
    Chain,
    Command,
    For,
    Group,
    If,
    Loop,
    Parameter,
    Part,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Subshell,
    Substitution,
    Text,
    Word,
)

_BLANKS = " \t\r"
_ENDS_WORD = set(" \t\r\n;&|<>()")
_SPECIAL_PARAMETERS = set("?#$@*!-0123456789")
_CLOSERS = {"then", "elif", "else", "fi", "do", "done", "esac", "}"}
_MAX_DEPTH = 60
_REDIRECTS = ("<<<", "<<-", "<<", ">>", ">&", "<&", "<>", ">|", "<", ">")
_OPERATORS = (":-", ":=", ":+", ":?", "-", "=", "+", "?", "##", "#", "%%", "%")


def parse(source: str) -> Script:
    """The tree of ``source``; ``ShellSyntaxError`` as mksh words it."""
    parser = _Parser(source)
    script = parser.script()
    parser.expect_end()
    return script


class _Parser:
    def __init__(self, source: str) -> None:
        self._source, self._at, self._depth = source, 0, 0

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

    def expect_end(self) -> None:
        self._skip_lines()
        if self._peek():
            raise self._unexpected()

    def _unexpected(self) -> ShellSyntaxError:
        found = next((op for op in (";;", "&&", "||") if self._looking_at(op)), self._peek())
        found = {"": "EOF", "\n": "newline"}.get(found, found)
        return ShellSyntaxError(f"syntax error: unexpected '{found}'")

    # --- lists and pipelines ----------------------------------------------------------------------------------
    def script(self) -> Script:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        chains: list[Chain] = []
        self._skip_lines()
        while self._peek() and self._peek() != ")" and not self._looking_at(";;") and not self._at_closer():
            chains.append(self._chain())
            self._skip_lines()
        self._depth -= 1
        return Script(tuple(chains))

    def _at_closer(self) -> bool:
        return self._reserved() in _CLOSERS

    def _reserved(self) -> str:
        end = self._at
        while end < len(self._source) and self._source[end] not in _ENDS_WORD:
            end += 1
        return self._source[self._at : end]

    def _keyword(self, word: str) -> bool:
        self._skip_lines()
        if self._reserved() == word:
            self._at += len(word)
            return True
        return False

    def _expect_keyword(self, word: str) -> None:
        if not self._keyword(word):
            raise self._unexpected()

    def _chain(self) -> Chain:
        links = [("", self._pipeline())]
        while True:
            self._skip_blanks()
            operator = next((op for op in ("&&", "||") if self._looking_at(op)), "")
            if not operator:
                break
            self._at += 2
            self._skip_lines()
            links.append((operator, self._pipeline()))
        return Chain(tuple(links), background=self._separator())

    def _separator(self) -> bool:
        """Take what ends a chain; True when it is ``&``."""
        if self._looking_at(";;") or self._peek() in ("", ")", "\n"):
            return False
        if self._take(";"):
            return False
        if self._take("&"):
            return True
        raise self._unexpected()

    def _pipeline(self) -> Pipeline:
        self._skip_blanks()
        negated = self._reserved() == "!"
        if negated:
            self._at += 1
        commands = [self._command()]
        self._skip_blanks()
        while self._peek() == "|" and not self._looking_at("||"):
            self._at += 1
            self._skip_lines()
            commands.append(self._command())
            self._skip_blanks()
        return Pipeline(tuple(commands), negated)

    # --- commands ---------------------------------------------------------------------------------------------
    def _command(self) -> Command:
        self._skip_blanks()
        if self._take("("):
            script = self.script()
            if not self._take(")"):
                raise self._unexpected()
            return Subshell(script, self._redirects())
        compound = {
            "{": self._group,
            "if": self._if,
            "while": self._loop,
            "until": self._loop,
            "for": self._for,
            "case": self._case,
        }.get(self._reserved())
        return compound() if compound else self._simple()

    def _group(self) -> Command:
        self._at += 1
        script = self.script()
        self._expect_keyword("}")
        return Group(script, self._redirects())

    def _if(self) -> Command:
        branches: list[tuple[Script, Script]] = []
        otherwise: Script | None = None
        self._at += 2
        while True:
            condition = self.script()
            self._expect_keyword("then")
            branches.append((condition, self.script()))
            if self._keyword("elif"):
                continue
            if self._keyword("else"):
                otherwise = self.script()
            self._expect_keyword("fi")
            return If(tuple(branches), otherwise, self._redirects())

    def _loop(self) -> Command:
        until = self._reserved() == "until"
        self._at += 5
        condition = self.script()
        return Loop(condition, self._do(), until, self._redirects())

    def _do(self) -> Script:
        self._expect_keyword("do")
        body = self.script()
        self._expect_keyword("done")
        return body

    def _for(self) -> Command:
        self._at += 3
        self._skip_blanks()
        name = self._reserved()
        if not name.isidentifier():
            raise ShellSyntaxError(f"syntax error: '{name}' is not a valid name")
        self._at += len(name)
        words: list[Word] = []
        if self._keyword("in"):
            self._skip_blanks()
            while self._peek() and self._peek() not in ";\n":
                words.append(self._word())
                self._skip_blanks()
        self._skip_blanks()
        self._take(";")
        return For(name, tuple(words), self._do(), self._redirects())

    def _case(self) -> Command:
        self._at += 4
        self._skip_blanks()
        subject = self._word()
        self._expect_keyword("in")
        branches: list[tuple[tuple[Word, ...], Script]] = []
        while not self._keyword("esac"):
            if not self._peek():
                raise self._unexpected()
            branches.append(self._case_branch())
        return Case(subject, tuple(branches), self._redirects())

    def _case_branch(self) -> tuple[tuple[Word, ...], Script]:
        self._take("(")
        patterns: list[Word] = []
        while True:
            self._skip_blanks()
            patterns.append(self._word())
            self._skip_blanks()
            if self._take(")"):
                break
            if not self._take("|"):
                raise self._unexpected()
        body = self.script()
        if not self._take(";;") and not self._reserved() == "esac":
            raise self._unexpected()
        return tuple(patterns), body

    def _simple(self) -> Command:
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._skip_blanks()
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            if not self._peek() or self._peek() in _ENDS_WORD:
                break
            word = self._word()
            assignment = None if words else _assignment(word)
            if assignment:
                assignments.append(assignment)
            else:
                words.append(word)
        if not (assignments or words or redirects):
            raise self._unexpected()
        return Simple(tuple(assignments), tuple(words), tuple(redirects))

    # --- redirections -----------------------------------------------------------------------------------------
    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while (redirect := self._redirect()) is not None:
            found.append(redirect)
        return tuple(found)

    def _redirect(self) -> Redirect | None:
        self._skip_blanks()
        start = self._at
        if self._take("&>"):
            self._skip_blanks()
            return Redirect(1, "&>", self._word())
        digits = ""
        while self._peek().isdigit():
            digits += self._peek()
            self._at += 1
        operator = next((op for op in _REDIRECTS if self._looking_at(op)), "")
        if not operator:
            self._at = start
            return None
        self._at += len(operator)
        descriptor = int(digits) if digits else (0 if operator.startswith("<") else 1)
        self._skip_blanks()
        if operator in ("<<", "<<-"):
            return self._open_heredoc(descriptor, operator)
        return Redirect(descriptor, operator, self._word())

    def _open_heredoc(self, descriptor: int, operator: str) -> Redirect:
        delimiter = self._word()
        name = "".join(part.value for part in delimiter.parts if isinstance(part, Text))
        text = self._cut_heredoc(name, strip_tabs=operator == "<<-")
        if any(isinstance(part, Text) and part.quoted for part in delimiter.parts):
            return Redirect(descriptor, "heredoc", Word((Text(text, quoted=True),)))
        return Redirect(descriptor, "heredoc", Word(tuple(_Parser(text).double_quoted_text())))

    def _cut_heredoc(self, delimiter: str, *, strip_tabs: bool) -> str:
        """Take the lines after this one up to the delimiter out of the source."""
        line_end = self._source.find("\n", self._at)
        line_end = len(self._source) if line_end < 0 else line_end + 1
        lines = self._source[line_end:].splitlines(keepends=True)
        if strip_tabs:
            lines = [line.lstrip("\t") for line in lines]
        bare = [line.rstrip("\n") for line in lines]
        count = bare.index(delimiter) if delimiter in bare else len(lines)
        self._source = self._source[:line_end] + "".join(lines[count + 1 :])
        return "".join(lines[:count])

    # --- words ------------------------------------------------------------------------------------------------
    def _word(self) -> Word:
        parts: list[Part] = []
        while self._peek() and self._peek() not in _ENDS_WORD:
            parts.extend(self._part())
        if not parts:
            raise self._unexpected()
        return Word(tuple(parts))

    def _part(self) -> list[Part]:
        character = self._peek()
        if character == "'":
            self._at += 1
            return [Text(self._until("'"), quoted=True)]
        if character == '"':
            self._at += 1
            return self._double_quoted()
        if character == "\\":
            escaped = self._source[self._at + 1 : self._at + 2]
            self._at += 2
            return [] if escaped == "\n" else [Text(escaped or "\\", quoted=True)]
        if character in "$`":
            return [self._dollar(quoted=False)]
        return [Text(self._literal())]

    def _literal(self) -> str:
        start = self._at
        while self._peek() and self._peek() not in _ENDS_WORD and self._peek() not in "'\"\\$`":
            self._at += 1
        return self._source[start : self._at]

    def _double_quoted(self) -> list[Part]:
        parts: list[Part] = [Text("", quoted=True)]
        while not self._take('"'):
            if not self._peek():
                raise ShellSyntaxError("syntax error: no closing quote")
            parts.append(self._quoted_part('"'))
        return parts

    def double_quoted_text(self) -> list[Part]:
        """The parts of a here-document whose delimiter is not quoted."""
        parts: list[Part] = []
        while self._peek():
            parts.append(self._quoted_part(""))
        return parts

    def _quoted_part(self, closer: str) -> Part:
        if self._peek() in "$`":
            return self._dollar(quoted=True)
        if self._peek() == "\\":
            escaped = self._source[self._at + 1 : self._at + 2]
            self._at += 2
            if escaped == "\n":
                return Text("", quoted=True)
            return Text(escaped if escaped and escaped in '\\"$`' else "\\" + escaped, quoted=True)
        start = self._at
        while self._peek() and self._peek() not in "\\$`" + closer:
            self._at += 1
        return Text(self._source[start : self._at], quoted=True)

    def _dollar(self, *, quoted: bool) -> Part:
        if self._take("`"):
            script = parse(self._until("`").replace("\\`", "`"))
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
        return Parameter(name, quoted=quoted) if name else Text("$", quoted)

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
        expression = _Parser(self._source[self._at + 3 : end]).double_quoted_text()
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
        parts: list[Part] = []
        while not self._take("}"):
            if not self._peek():
                raise ShellSyntaxError("syntax error: no closing }")
            parts.extend(self._brace_part())
        if not name or (parts and not operator):
            raise ShellSyntaxError("bad substitution")
        return Parameter(name, "length" if length else operator, Word(tuple(parts)), quoted)

    def _brace_part(self) -> list[Part]:
        if self._peek() in "'\"\\$`":
            return self._part()
        start = self._at
        while self._peek() and self._peek() not in "}'\"\\$`":
            self._at += 1
        return [Text(self._source[start : self._at])]


def _assignment(word: Word) -> tuple[str, Word] | None:
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Text) or first.quoted:
        return None
    name, equals, rest = first.value.partition("=")
    if not equals or not name.isidentifier() or not name.isascii():
        return None
    return name, Word((Text(rest), *word.parts[1:]))
