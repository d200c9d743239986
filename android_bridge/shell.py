"""The result of a command on the phone, and the refusals in its output."""

import re

from heed.model import Frozen

# Android's tools report a refusal in their text and mostly still exit with 0: `am start` prints "Error: …", `content`
# and `cmd` a Java exception (docs/android-notes.md, "Refusals"). Anchored at the beginning of a line, where the tools
# print their own words.
_REJECTION = re.compile(
    r"^(?:Error\b.*|\[ERROR\].*|Exception occurred while .*|(?:java|android)\.[\w.]*Exception\b.*"
    r"|Security exception: .*|Permission Denial\b.*|Failure\b.*|cmd: .*|No shell command implementation.*"
    r"|Unknown command: .*|Bad component name.*|Killed|\S+: (?:\S+: )?(?:inaccessible or )?not found)$",
    re.MULTILINE,
)
# A headline names the command or the provider only; the cause follows it as a Java exception, perhaps with causes of
# its own behind the stack trace (BasicShellCommandHandler.java; Content.java).
_HEADLINE = re.compile(r"Exception occurred while |Error while accessing ")
_CAUSE = re.compile(r"^(?:Caused by: )?((?:[a-z]\w*\.)+[A-Z][\w$]*(?:: .*)?)$", re.MULTILINE | re.ASCII)
_LONGEST_REASON = 500


class ShellResult(Frozen):
    """Output and exit status of one shell line; text is decoded as UTF-8, undecodable bytes replaced."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def text(self) -> str:
        """Standard output followed by standard error."""
        return self.stdout + self.stderr

    @property
    def rejected(self) -> str:
        """The line in which Android refuses, or the cause behind it, or a non-zero exit status in words.

        Empty for a success. For commands that change something. Rows of a provider are free text and are not searched.
        """
        own_words = self.stderr if self.stdout.startswith("Row: ") else self.text
        match = _REJECTION.search(own_words)
        if match:
            return _cause(match[0].strip(), own_words[match.end() :])
        return f"exit status {self.exit_code}" if self.exit_code else ""


def _cause(line: str, rest: str) -> str:
    """The exceptions that ``rest`` names, each once, in place of a headline; any other line as it is."""
    causes = dict.fromkeys(_CAUSE.findall(rest)) if _HEADLINE.match(line) else ()
    return " ".join(causes)[:_LONGEST_REASON] or line
