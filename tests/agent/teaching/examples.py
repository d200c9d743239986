"""Twenty things that a person teaches on the virtual phone, and what must have come of each afterwards."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.agent.teaching.person import Deed
from virtual_phone import PhoneState

CONTACTS, CLOCK = "com.google.android.contacts", "com.google.android.deskclock"
CALENDAR, SETTINGS = "com.google.android.calendar", "com.android.settings"
NOTES, MESSAGES, MUSIC = "com.google.android.keep", "com.google.android.apps.messaging", "com.spotify.music"
MEITUAN, TAOBAO, WHATSAPP = "com.sankuai.meituan", "com.taobao.taobao", "com.whatsapp"
MAIL = "com.google.android.gm"


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


def _typed(**fields: str) -> Callable[[PhoneState], bool]:
    """The page in front has these texts in its fields."""
    return lambda state: fields.items() <= state.apps.foreground.fields.items()


def _stands(screen: str, **extras: str) -> Callable[[PhoneState], bool]:
    """A page is in front, opened with these values."""

    def stands(state: PhoneState) -> bool:
        front = state.apps.foreground
        return front.screen == screen and extras.items() <= front.intent.extras.items()

    return stands


def _both(*conditions: Callable[[PhoneState], bool]) -> Callable[[PhoneState], bool]:
    return lambda state: all(condition(state) for condition in conditions)


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
        _typed(name="Ada", phone="555"),
        {"Bo": "name", "123": "number"},
        {"name": "Ada", "number": "555"},
    ),
    Example(
        "open_contact",
        CONTACTS,
        (("tap", "Alice Chen"),),
        _stands("contact", contact="3"),
        {"Alice Chen": "person"},
        {"person": "Mum"},
    ),
    Example("dark_theme", SETTINGS, (("tap", "Dark theme"),), lambda state: state.display.dark),
    Example("mobile_data_off", SETTINGS, (("tap", "Mobile data"),), lambda state: not state.network.mobile_data),
    Example("location_off", SETTINGS, (("scroll",), ("tap", "Location")), lambda state: not state.location.enabled),
    Example(
        "no_rotation",
        SETTINGS,
        (("tap", "Display"), ("tap", "Auto-rotate screen")),
        lambda state: state.settings.get("system", "accelerometer_rotation") == "0",
    ),
    Example(
        "save_power",
        SETTINGS,
        (("tap_in", "Battery Saver", "switch_widget"),),
        lambda state: state.power.saver,
    ),
    Example(
        "wifi_page",
        SETTINGS,
        (("tap", "Wi-Fi"),),
        _stands("wifi_settings"),
    ),
    Example(
        "new_note",
        NOTES,
        (
            ("tap", "New note"),
            ("tap", "Title"),
            ("type", "Plants"),
            ("tap", "Note"),
            ("type", "Water"),
            ("tap", "Done"),
        ),
        _typed(title="Car", body="Wash"),
        {"Plants": "title", "Water": "text"},
        {"title": "Car", "text": "Wash"},
    ),
    Example(
        "add_to_note",
        NOTES,
        (("tap", "Shopping"), ("tap", "Note"), ("type", "\nTea")),
        _both(_stands("note_editor", note="1"), lambda state: "Tea" in state.apps.foreground.fields.get("body", "")),
    ),
    Example("alarm_off", CLOCK, (("tap", "Work"),), lambda state: not state.alarms.alarms[0].enabled),
    Example(
        "timer",
        CLOCK,
        (("tap", "Timer"), ("tap", "10 min")),
        lambda state: [timer.seconds for timer in state.alarms.timers] == [600],
    ),
    Example(
        "labelled_alarm",
        CLOCK,
        (("tap", "Add alarm"), ("tap", "Label"), ("type", "Tea"), ("tap", "Save")),
        _typed(label="Bus"),
        {"Tea": "label"},
        {"label": "Bus"},
    ),
    Example(
        "new_event",
        CALENDAR,
        (("tap", "New event"), ("tap", "Title"), ("type", "Yoga"), ("tap", "Where"), ("type", "Gym"), ("tap", "Save")),
        _typed(title="Choir", location="Hall"),
        {"Yoga": "title", "Gym": "place"},
        {"title": "Choir", "place": "Hall"},
    ),
    Example(
        "text_somebody",
        MESSAGES,
        (("tap", "Alice Chen"), ("tap", "Text message"), ("type", "On my way"), ("tap", "Send")),
        _both(
            _typed(compose_message_text="Late again"),
            lambda state: "137 6655 4433" in state.apps.foreground.intent.data,
        ),
        {"Alice Chen": "person", "On my way": "text"},
        {"person": "Mum", "text": "Late again"},
    ),
    Example(
        "chat",
        WHATSAPP,
        (("tap", "Bob Li"), ("tap", "Message"), ("type", "Hello"), ("tap", "Send")),
        _both(_typed(compose_message_text="Good night"), _stands("chat", person="Mum")),
        {"Bob Li": "person", "Hello": "text"},
        {"person": "Mum", "text": "Good night"},
    ),
    Example(
        "noodles",
        MEITUAN,
        (
            ("tap", "Search"),
            ("type", "Noodle"),
            ("tap", "Noodle House"),
            ("tap", "One more Cucumber salad"),
            ("tap", "View cart"),
            ("tap", "Checkout"),
            ("tap", "Place order"),
        ),
        _both(_stands("checkout"), lambda state: state.baskets.of(MEITUAN) == {"cucumber": 1}),
    ),
    Example(
        "into_the_cart",
        TAOBAO,
        (("tap", "Search"), ("type", "mug"), ("tap", "Travel mug"), ("tap", "Add to cart"), ("tap", "Cart")),
        _both(_stands("cart"), lambda state: state.baskets.of(TAOBAO) == {"lamp": 1}),
        {"mug": "search", "Travel mug": "article"},
        {"search": "lamp", "article": "Bedside lamp"},
    ),
    Example(
        "song",
        MUSIC,
        (("tap", "Slow River"),),
        lambda state: state.audio.session is not None and state.audio.session.title == "Paper Boats",
        {"Slow River": "song"},
        {"song": "Paper Boats"},
    ),
    Example(
        "mail",
        MAIL,
        (("tap", "Compose"), ("tap", "To"), ("type", "a@b.org"), ("tap", "Subject"), ("type", "Hi"), ("tap", "Send")),
        _typed(to="c@d.org", subject="News"),
        {"a@b.org": "to", "Hi": "subject"},
        {"to": "c@d.org", "subject": "News"},
    ),
)

_SETTINGS_ROWS = {"dark_theme", "mobile_data_off", "location_off", "no_rotation", "save_power", "wifi_page"}
STOPS: Mapping[str, set[str]] = {
    "dialogue": {example.name for example in EXAMPLES},
    "texts": _SETTINGS_ROWS
    | {"new_contact", "new_note", "timer", "labelled_alarm", "new_event", "into_the_cart", "mail"},
    "language": _SETTINGS_ROWS | {"timer", "noodles", "into_the_cart", "song"},
    "size": set(),
    "order": set(),
}
"""The tasks that stop, and say so, at a change: a view on their way has nothing but words. All others are done."""
