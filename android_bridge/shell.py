"""What a command on the phone gave back."""

import re

from heed.model import Frozen

# `am start` prints "Error: …" and still exits 0; `content` and `cmd` report refusals in their text
# (notes: functions.md, D2).
_REJECTION = re.compile(
    r"^(?:Error\b.*|\[ERROR\].*|.*SecurityException.*|.*Permission Denial.*|.*does not exist.*"
    r"|Error while accessing provider.*|.*inaccessible or not found.*|No shell command implementation.*)$",
    re.MULTILINE,
)


class ShellResult(Frozen):
    """Output and exit status of one shell line; text is decoded as UTF-8, undecodable bytes replaced."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def text(self) -> str:
        """Both outputs, standard output first."""
        return self.stdout + self.stderr

    @property
    def rejected(self) -> str:
        """The line in which Android says no, or the exit status; empty when neither."""
        match = _REJECTION.search(self.text)
        if match:
            return match[0].strip()
        return f"exit status {self.exit_code}" if self.exit_code else ""
