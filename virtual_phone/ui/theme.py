"""Colours by role, light and dark."""

from collections.abc import Mapping

Color = tuple[int, int, int]

LIGHT: Mapping[str, str] = {
    "background": "#f8f9ff", "surface": "#eef0f8", "card": "#ffffff", "ink": "#191c20", "faint": "#5b5f68",
    "primary": "#1f5fbf", "on_primary": "#ffffff", "accent": "#d7e3ff", "on_accent": "#001b3f", "line": "#d8dae3",
    "danger": "#ba1a1a", "bubble": "#e3e6f0", "own_bubble": "#1f5fbf", "scrim": "#3a3d44", "switch_off": "#c4c6d0",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "background": "#111318", "surface": "#1d2024", "card": "#22252b", "ink": "#e2e2e9", "faint": "#a9acb6",
    "primary": "#a9c7ff", "on_primary": "#08305f", "accent": "#284777", "on_accent": "#d7e3ff", "line": "#383b42",
    "danger": "#ffb4ab", "bubble": "#2c3038", "own_bubble": "#284777", "scrim": "#000000", "switch_off": "#4a4d55",
}  # fmt: skip
_PEOPLE = ("#1f5fbf", "#00796b", "#5e35b1", "#b3541e", "#c2185b", "#2e7d32", "#546e7a")


def color_of(name: str) -> str:
    """A colour that stays with a person's name."""
    return _PEOPLE[sum(map(ord, name)) % len(_PEOPLE)]


def color(role: str, *, dark: bool) -> Color:
    """A role's colour, or a literal ``#rrggbb``."""
    text = role if role.startswith("#") else (DARK if dark else LIGHT)[role]
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
