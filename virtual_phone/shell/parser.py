"""Parses a shell line to its syntax tree by recursive descent."""

from virtual_phone.shell.syntax import (
    CaseClause,
    Chain,
    Command,
    ForClause,
    Group,
    IfClause,
    LiteralText,
    LoopClause,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Subshell,
    Word,
)
from virtual_phone.shell.word_parser import ENDS_WORD, WordParser

_CLOSERS = {"then", "elif", "else", "fi", "do", "done", "esac", "}"}
_REDIRECTS = ("<<<", "<<-", "<<", ">>", ">&", "<&", "<>", ">|", "<", ">")


def parse(source: str) -> Script:
    """The tree of ``source``; ``ShellSyntaxError`` as mksh words it."""
    parser = _Parser(source)
    script = parser.script()
    parser.expect_end()
    return script


class _Parser(WordParser):
    def _nested(self, source: str) -> "_Parser":
        return _Parser(source, self._depth)

    def expect_end(self) -> None:
        self._skip_lines()
        if self._peek():
            raise self._unexpected()

    # --- lists and pipelines ----------------------------------------------------------------------------------
    def script(self) -> Script:
        """Chains up to what closes them."""
        chains: list[Chain] = []
        with self._deeper():
            self._skip_lines()
            while self._peek() and self._peek() != ")" and not self._looking_at(";;") and not self._at_closer():
                chains.append(self._chain())
                self._skip_lines()
        return Script(tuple(chains))

    def _at_closer(self) -> bool:
        return self._reserved() in _CLOSERS

    def _reserved(self) -> str:
        end = self._at
        while end < len(self._source) and self._source[end] not in ENDS_WORD:
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
        """Consume the end of a chain; True when it is ``&``."""
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
            return IfClause(tuple(branches), otherwise, self._redirects())

    def _loop(self) -> Command:
        until = self._reserved() == "until"
        self._at += 5
        condition = self.script()
        return LoopClause(condition, self._do(), until, self._redirects())

    def _do(self) -> Script:
        self._expect_keyword("do")
        body = self.script()
        self._expect_keyword("done")
        return body

    def _for(self) -> Command:
        self._at += 3
        self._skip_blanks()
        name = self._reserved()
        if not (name.isidentifier() and name.isascii()):
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
        return ForClause(name, tuple(words), self._do(), self._redirects())

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
        return CaseClause(subject, tuple(branches), self._redirects())

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
            if not self._peek() or self._peek() in ENDS_WORD:
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
        while self._peek() and self._peek() in "0123456789":
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
        name = "".join(part.value for part in delimiter.parts if isinstance(part, LiteralText))
        text = self._cut_heredoc(name, strip_tabs=operator == "<<-")
        if any(isinstance(part, LiteralText) and part.quoted for part in delimiter.parts):
            return Redirect(descriptor, "heredoc", Word((LiteralText(text, quoted=True),)))
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


def _assignment(word: Word) -> tuple[str, Word] | None:
    first = word.parts[0] if word.parts else None
    if not isinstance(first, LiteralText) or first.quoted:
        return None
    name, equals, rest = first.value.partition("=")
    if not equals or not name.isidentifier() or not name.isascii():
        return None
    return name, Word((LiteralText(rest), *word.parts[1:]))
