"""Keyboards and the clipboard."""

from typing import Literal

from pydantic import Field

from virtual_phone.state.part import StatePart

GBOARD = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"


class KeyboardState(StatePart):
    """The input methods, the chosen one, and the clipboard."""

    installed: list[str] = Field(default_factory=lambda: [GBOARD])
    enabled: list[str] = Field(default_factory=lambda: [GBOARD])
    clipboard: str = ""
    side: Literal["letters", "capitals", "symbols"] = "letters"
    """The keys that are shown."""

    @property
    def current(self) -> str:
        """The chosen input method."""
        return self._phone.settings.get("secure", "default_input_method") or ""

    def choose(self, method: str) -> bool:
        """Choose an enabled method; False for any other."""
        if method not in self.enabled:
            return False
        self._phone.settings.store("secure", "default_input_method", method)
        return True

    def enable(self, method: str, on: bool = True) -> bool:
        """Enable or disable an installed method; False for any other."""
        if method not in self.installed:
            return False
        self.enabled = [other for other in self.enabled if other != method] + ([method] if on else [])
        self._changed()
        return True

    def turn(self, side: Literal["letters", "capitals", "symbols"]) -> None:
        """Show another set of keys."""
        self.side = side
        self._changed()

    def put_on_clipboard(self, text: str) -> None:
        """Put text on the clipboard."""
        self.clipboard = text
        self._changed()
