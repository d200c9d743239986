"""What is typed, from how text fields look before and after."""

from typing import NamedTuple

from android_bridge.facts.hierarchy import Hierarchy, Node
from collectors.trajectory.target import field_name, fields, focused_field

_Key = tuple[str, str, int]


class TypedText(NamedTuple):
    """Something was put into a field."""

    field: str
    text: str
    """Empty for a password, and where keys were pressed and the field was not seen afterwards."""
    password: bool


class Typing:
    """The text fields of the app in front."""

    def __init__(self) -> None:
        self._first: dict[_Key, str] = {}
        """What each field showed when it was first seen: an empty one shows its hint as its text."""
        self._last: dict[_Key, str] = {}
        self._focus: Node | None = None
        self._keys = 0

    @property
    def going_on(self) -> bool:
        """Whether a text field has the focus."""
        return self._focus is not None

    def forget(self) -> None:
        """Another screen: none of these fields are there any more."""
        self._first, self._last, self._focus, self._keys = {}, {}, None, 0

    def key(self) -> None:
        """A key was pressed."""
        self._keys += 1

    def interrupted(self) -> TypedText | None:
        """The person goes on to something else: what was typed since the last look, as far as it is known."""
        keys, self._keys = self._keys, 0
        return TypedText(field_name(self._focus), "", self._focus.password) if keys and self._focus else None

    def see(self, tree: Hierarchy) -> list[TypedText]:
        """Take in how the fields look now; what was typed since the last time."""
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
