"""Draw the pictures of docs/virtual-phone.md: `make pictures`. Each is a screen of the phone in some state."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.state.intents import Intent

FOLDER = Path(__file__).parent.parent / "docs" / "phone"
NOW = datetime(2026, 2, 6, 10, 8, tzinfo=timezone(timedelta(hours=8)))
WIDTH, HEIGHT = 540, 1200
BEZEL, RADIUS = 12, 54
COLORS = 255
ALICE = "+86 138 0013 8000"
VIEW = "android.intent.action.VIEW"


class Scene(NamedTuple):
    """One picture: its language, whether dark, and how the phone comes to show it."""

    language: Literal["en", "zh"]
    dark: bool
    arrange: Callable[[PhoneState], object]


def _opens(package: str, activity: str = "", **extras: str) -> Callable[[PhoneState], object]:
    """The app, and one of its screens."""

    def arrange(state: PhoneState) -> None:
        state.open_app(package)
        if activity:
            state.apps.start(Intent(component=f"{package}/{activity}", extras=dict(extras)))

    return arrange


def _conversation(state: PhoneState) -> None:
    state.messages.send(ALICE, "Lunch works! The noodle place at noon?")
    state.messages.store(ALICE, "Perfect. I will bring the maps for Saturday, the hut is booked.")
    state.messages.store(ALICE, "Can you check the early train?")
    state.apps.start(Intent(action=VIEW, data=f"sms:{ALICE}", package="com.google.android.apps.messaging"))
    state.apps.focus("compose_message_text", "7:40 from Central St")


def _shade(state: PhoneState) -> None:
    state.mail.receive("City Library", "Your loan ends soon", "“Slow Rivers” is due in a week.")
    state.messages.receive(ALICE, "Can you check the early train?")
    state.show_panel("shade")


def _locked(state: PhoneState) -> None:
    state.mail.receive("市图书馆", "借阅即将到期", "《慢河》一周后到期。")
    state.messages.receive(ALICE, "能看一下早班火车吗？")
    state.power.sleep()
    state.power.wake()


def _alarms(state: PhoneState) -> None:
    state.alarms.add(9, 30, ["sat"], "爬山")
    state.alarms.add(22, 15, ["sun", "mon", "tue", "wed", "thu"], "睡觉")
    state.alarms.enable(state.alarms.alarms[-1], False)
    state.open_app("com.google.android.deskclock")


def _calendar(state: PhoneState) -> None:
    for days, hour, title, place in (
        (0, 12, "Lunch with Alice", "Noodle House"), (0, 15, "Team meeting", "Room 3"),
        (1, 8, "Hike", "Central Station"), (4, 9, "Dentist", "Garden Street 4"),
        (11, 18, "Concert", "City Hall"), (17, 10, "Library", ""),
    ):  # fmt: skip
        start = NOW.replace(hour=hour, minute=0) + timedelta(days=days)
        state.calendar.add(title, start, location=place)
    state.open_app("com.google.android.calendar")


def _photos(state: PhoneState) -> None:
    for number, days in enumerate((0, 0, 1, 2, 3, 9, 12, 14, 20, 21, 30)):
        folder = "Pictures/Screenshots" if number in (2, 7) else "DCIM/Camera"
        name = f"{'Screenshot' if 'Screens' in folder else 'IMG'}_{number}.jpg"
        state.media.add(folder, name, NOW - timedelta(days=days, hours=1), 3_000_000)
    state.open_app("com.google.android.apps.photos")


def _music(state: PhoneState) -> None:
    package = "com.google.android.apps.youtube.music"
    state.open_app(package)
    state.audio.play(package, "Paper Boats", "Lin Yu")


def _permission(state: PhoneState) -> None:
    package = "com.google.android.apps.maps"
    state.open_app(package)
    extras = {"package": package, "permission": "android.permission.ACCESS_FINE_LOCATION"}
    state.apps.start(Intent(action="android.content.pm.action.REQUEST_PERMISSIONS", extras=extras))


def _menu(state: PhoneState) -> None:
    state.baskets.put(FOOD, "beef_noodles", 2)
    _opens(FOOD, ".MenuActivity", store="noodles")(state)


def _confirm(state: PhoneState) -> None:
    state.baskets.put(SHOP, "umbrella")
    state.baskets.put(SHOP, "mug")
    _opens(SHOP, ".ConfirmActivity")(state)


SHOP, FOOD, MAPS = "com.taobao.taobao", "com.sankuai.meituan", "com.google.android.apps.maps"
EDITOR = "com.android.deskclock.alarms.AlarmEditActivity"
SCENES = {
    "home": Scene("en", False, lambda state: state.apps.home()),
    "lock": Scene("zh", False, _locked),
    "shade": Scene("en", True, _shade),
    "messages": Scene("en", False, _conversation),
    "alarms": Scene("zh", True, _alarms),
    "alarm": Scene("en", False, _opens("com.google.android.deskclock", EDITOR, alarm="1")),
    "calendar": Scene("en", False, _calendar),
    "photos": Scene("zh", False, _photos),
    "place": Scene("en", False, _opens(MAPS, ".place.PlaceActivity", place="City Library")),
    "drive": Scene("zh", True, _opens(MAPS, ".navigation.NavigationActivity", place="市图书馆")),
    "shop": Scene("zh", False, _opens(SHOP)),
    "menu": Scene("en", True, _menu),
    "confirm": Scene("zh", False, _confirm),
    "settings": Scene("zh", True, _opens("com.android.settings")),
    "permission": Scene("en", True, _permission),
    "music": Scene("en", False, _music),
}


def draw(scene: Scene) -> Image.Image:
    """The screen in a plain frame, at half size."""
    state = PhoneState.standard(NOW, language=scene.language)
    state.clock.freeze()
    state.clock.jump(NOW)
    state.display.set_night("yes" if scene.dark else "no")
    scene.arrange(state)
    screen = VirtualPhone(state).screen.image().resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    mask = Image.new("L", screen.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, WIDTH - 1, HEIGHT - 1), RADIUS, fill=255)
    framed = Image.new("RGBA", (WIDTH + 2 * BEZEL, HEIGHT + 2 * BEZEL), (0, 0, 0, 0))
    edge = (0, 0, framed.width - 1, framed.height - 1)
    ImageDraw.Draw(framed).rounded_rectangle(edge, RADIUS + BEZEL, fill="#202124")
    framed.paste(screen, (BEZEL, BEZEL), mask)
    return _palette(framed)


def _palette(image: Image.Image) -> Image.Image:
    """The same with few colours, the last of them for what lies outside the frame."""
    inside = image.getchannel("A").point(lambda part: 255 if part > 127 else 0)
    reduced = image.convert("RGB").quantize(COLORS, method=Image.Quantize.MEDIANCUT, kmeans=1)
    reduced.putpalette([*(reduced.getpalette() or [])[: 3 * COLORS], 0, 0, 0])
    reduced.paste(COLORS, mask=inside.point(lambda part: 255 - part))
    return reduced


def main() -> None:
    """Every scene as a PNG."""
    FOLDER.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        draw(scene).save(FOLDER / f"{name}.png", optimize=True, transparency=COLORS)


if __name__ == "__main__":
    main()
