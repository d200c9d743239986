"""Twenty things that a person teaches on the virtual phone, and what must have come of each afterwards."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.agent.teaching.person import Deed
from virtual_phone import PhoneState

CONTACTS, CLOCK = "com.google.android.contacts", "com.google.android.deskclock"
CALENDAR, SETTINGS = "com.google.android.calendar", "com.android.settings"
NOTES, MESSAGES, MUSIC = "com.google.android.keep", "com.google.android.apps.messaging", "com.spotify.music"
MEITUAN, TAOBAO, WHATSAPP = "com.sankuai.meituan", "com.taobao.taobao", "com.whatsapp"


class Example(NamedTuple):
    """A task: what the person does, what differs each time, and what the phone shows when it is done."""

    name: str
    app: str
    deeds: tuple[Deed, ...]
    done: Callable[[PhoneState], bool]
    """Whether the phone is as it should be, with ``values`` in the slots."""
    slots: Mapping[str, str] = {}
    """The slot's name for each text that the person typed or chose."""
    values: Mapping[str, str] = {}
    """What is in the slots when it is played."""
    has: Callable[[PhoneState], object] = lambda state: None
    """Prepares a phone before it is taught or played."""


def _typed(field: str, text: str) -> Callable[[PhoneState], bool]:
    return lambda state: state.apps.foreground.fields.get(field) == text


def _both(*conditions: Callable[[PhoneState], bool]) -> Callable[[PhoneState], bool]:
    return lambda state: all(condition(state) for condition in conditions)


def _shows(screen: str) -> Callable[[PhoneState], bool]:
    return lambda state: state.apps.foreground.screen == screen


EXAMPLES = (
    Example(
        "new_contact",
        CONTACTS,
        (
            ("tap", "Create contact"),
            ("tap", "Name"),
            ("type", "Bo"),
            ("tap", "Phone"),
            ("type", "123"),
            ("tap", "Save"),
        ),
        _both(_typed("name", "Ada"), _typed("phone", "555")),
        {"Bo": "name", "123": "phone"},
        {"name": "Ada", "phone": "555"},
    ),
    Example("dark_theme", SETTINGS, (("tap", "Dark theme"),), lambda state: state.display.dark),
)
