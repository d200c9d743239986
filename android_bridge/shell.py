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
        """The line in which Android refuses, or a non-zero exit status in words; empty for a success.

        For commands that change something. Rows of a provider are free text and are not searched.
        """
        own_words = self.stderr if self.stdout.startswith("Row: ") else self.text
        match = _REJECTION.search(own_words)
        if match:
            return match[0].strip()
        return f"exit status {self.exit_code}" if self.exit_code else ""
