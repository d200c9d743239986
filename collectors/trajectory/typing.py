"""Derives typed text from the content of text fields before and after."""

from typing import NamedTuple

from android_bridge.facts.hierarchy import Hierarchy, Node
from collectors.trajectory.target import field_name, fields, focused_field

_Key = tuple[str, str, int]


class TypedText(NamedTuple):
    """Text that was entered into a field."""

    field: str
    text: str
    """Empty for a password, and if the field was not read after the keys were pressed."""
    password: bool


class Typing:
    """The state of the text fields of the app in the foreground."""

    def __init__(self) -> None:
        self._first: dict[_Key, str] = {}
        """The first text of each field: an empty field shows its hint as its text."""
        self._last: dict[_Key, str] = {}
        self._focus: Node | None = None
        self._keys = 0

    @property
    def going_on(self) -> bool:
        """Whether a text field has the focus."""
        return self._focus is not None

    def forget(self) -> None:
        """Forget all fields: another screen is shown."""
        self._first, self._last, self._focus, self._keys = {}, {}, None, 0

    def key(self) -> None:
        """Note that a key was pressed."""
        self._keys += 1

    def interrupted(self) -> TypedText | None:
        """Typing was interrupted: the text entered since the last ``see``, if any; its content is not known."""
        keys, self._keys = self._keys, 0
        return TypedText(field_name(self._focus), "", self._focus.password) if keys and self._focus else None

    def see(self, tree: Hierarchy) -> list[TypedText]:
        """Compare the fields with their last state; returns the text entered since then."""
        typed = []
        for number, field in enumerate(fields(tree)):
            key = (field.package, field.resource_id, 0 if field.resource_id else number)
            known = self._last.get(key)
            self._last[key] = field.text
            if known is None:
                self._first[key] = field.text
            elif field.text not in (known, self._first[key]):
                typed.append(TypedText(field_name(field), "" if field.password else field.text, field.password))
        self._focus, self._keys = focused_field(tree), 0
        return typed
