"""The shell's syntax tree."""

from dataclasses import dataclass


class ShellSyntaxError(Exception):
    """A line the shell cannot parse; the message is mksh's, without its prefix."""


@dataclass(frozen=True)
class LiteralText:
    """Literal characters; quoted ones are neither split nor globbed."""

    value: str
    quoted: bool = False


@dataclass(frozen=True)
class Parameter:
    """``$NAME``, ``${NAME}`` or ``${NAME<operator>word}`` with ``:-``, ``-``, ``:=``, ``:+``, ``+``, ``#``, ``%`` …

    ``${NAME/word/replacement}`` has the operator ``/`` or ``//``.
    """

    name: str
    operator: str = ""
    word: "Word | None" = None
    quoted: bool = False
    replacement: "Word | None" = None


@dataclass(frozen=True)
class Substitution:
    """``$(script)`` or backquotes."""

    script: "Script"
    quoted: bool = False


@dataclass(frozen=True)
class Arithmetic:
    """``$((expression))``."""

    expression: "Word"
    quoted: bool = False


WordPart = LiteralText | Parameter | Substitution | Arithmetic


@dataclass(frozen=True)
class Word:
    """One word before expansion."""

    parts: tuple[WordPart, ...]

    @property
    def plain(self) -> str | None:
        """The word if it is unquoted literal text, as reserved words and assignments must be."""
        if all(isinstance(part, LiteralText) and not part.quoted for part in self.parts):
            return "".join(part.value for part in self.parts if isinstance(part, LiteralText))
        return None


@dataclass(frozen=True)
class Redirect:
    """``descriptor operator target``; ``heredoc`` and ``<<<`` carry their text in ``target``."""

    descriptor: int
    operator: str
    target: Word


@dataclass(frozen=True)
class Simple:
    """``NAME=value … command argument … redirection …``."""

    assignments: tuple[tuple[str, Word], ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class Subshell:
    """``( script )``."""

    script: "Script"
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class Group:
    """``{ script; }``."""

    script: "Script"
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class IfClause:
    """``if … then … elif … else … fi``."""

    branches: tuple[tuple["Script", "Script"], ...]
    otherwise: "Script | None"
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class LoopClause:
    """``while`` (or ``until``) ``… do … done``."""

    condition: "Script"
    body: "Script"
    until: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class ForClause:
    """``for name in words; do … done``."""

    name: str
    words: tuple[Word, ...]
    body: "Script"
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True)
class CaseClause:
    """``case word in pattern|pattern) script;; … esac``."""

    subject: Word
    branches: tuple[tuple[tuple[Word, ...], "Script"], ...]
    redirects: tuple[Redirect, ...] = ()


Command = Simple | Subshell | Group | IfClause | LoopClause | ForClause | CaseClause


@dataclass(frozen=True)
class Pipeline:
    """Commands joined by ``|``; ``negated`` by a leading ``!``."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True)
class Chain:
    """Pipelines joined by ``&&`` and ``||``; the first has an empty operator."""

    links: tuple[tuple[str, Pipeline], ...]
    background: bool = False


@dataclass(frozen=True)
class Script:
    """Chains one after the other."""

    chains: tuple[Chain, ...]
