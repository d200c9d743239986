"""A picture that is stored shows no secret: views that hold one are covered, or there is no picture."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from android_bridge.facts.hierarchy import Bounds, parse_hierarchy
from collectors.config import CollectorsConfig
from collectors.context import Context
from collectors.frame_masks import secret_views
from collectors.snapshot import Snapshotter
from collectors.source import load_sources
from heed.clock import ManualClock, PhoneClock
from tests.collectors.moody import MoodyPhone
from tests.collectors.test_frames import png, screen
from tests.phones import START, connected_device
from virtual_phone import PhoneState

SIZE = (1080, 2400)
TITLE, CODE = (60, 400, 1020, 460), (60, 500, 500, 560)
WHITE = (255, 255, 255)


def node(text: str, box: tuple[int, int, int, int], description: str = "", password: bool = False) -> str:
    left, top, right, bottom = box
    return (
        f'<node package="my.bank" class="android.widget.TextView" resource-id="" text="{text}" '
        f'content-desc="{description}" password="{str(password).lower()}" bounds="[{left},{top}][{right},{bottom}]"/>'
    )


def tree(*nodes: str) -> str:
    return f"<?xml version='1.0' ?><hierarchy rotation=\"0\">{''.join(nodes)}</hierarchy>"


BANK = tree(node("Your verification code", TITLE), node("482913", CODE), node("Balance", (60, 700, 500, 760)))


def picture(*, with_code: bool = True) -> Image.Image:
    shown = screen(3, SIZE)
    if with_code:
        ImageDraw.Draw(shown).rectangle(CODE, fill=WHITE)
    return shown


@pytest.fixture
async def phone(adb_server: AdbServer) -> AsyncIterator[tuple[MoodyPhone, Device]]:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    state.open_app("com.android.chrome")
    moody = MoodyPhone(state)
    moody.moods["screencap"] = png(picture())
    moody.moods["uiautomator"] = BANK
    async with connected_device(moody, adb_server) as device:
        yield moody, device


async def taken(device: Device, folder: Path) -> Context:
    config = CollectorsConfig(frames_folder=folder)
    return await Snapshotter(device, load_sources(config), PhoneClock(ManualClock(START)), config).snapshot()


def reason(context: Context) -> str:
    return str(next((one.reason for one in context.device.missing if one.name == "frame"), ""))


def is_covered(frame: Path, box: tuple[int, int, int, int]) -> bool:
    with Image.open(frame) as stored:
        scale = stored.width / SIZE[0]
        part = stored.convert("L").crop(tuple(round(edge * scale) for edge in box))  # type: ignore[arg-type]
        low, high = part.getextrema()
        return float(str(high)) - float(str(low)) < 60 and float(str(high)) < 130


async def test_a_code_whose_words_stand_in_another_view_is_covered(
    phone: tuple[MoodyPhone, Device], tmp_path: Path
) -> None:
    context = await taken(phone[1], tmp_path)
    (frame,) = context.frames
    assert is_covered(Path(frame.path), CODE)
    assert not is_covered(Path(frame.path), (60, 700, 500, 760))


@pytest.mark.parametrize(
    "views",
    [
        "ERROR: could not get idle state.",
        "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node/></hierarchy>",
        tree(node("Your verification code", TITLE), node("482913", (60, 500, 5000, 560))),
        tree(node("Your verification code is 482913", (0, 0, 0, 0))),
    ],
    ids=["no views", "no bounds", "another size", "an empty view"],
)
async def test_a_picture_whose_secrets_cannot_be_placed_is_not_kept(
    phone: tuple[MoodyPhone, Device], tmp_path: Path, views: str
) -> None:
    phone[0].moods["uiautomator"] = views
    context = await taken(phone[1], tmp_path)
    assert context.frames == () and not list(tmp_path.rglob("*.jpg")) and reason(context)


async def test_a_code_that_went_while_the_views_were_read_leaves_no_picture(
    phone: tuple[MoodyPhone, Device], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moody, device = phone
    moody.moods["uiautomator"] = tree(node("Balance", (60, 700, 500, 760)))
    pictures = iter([picture(), picture(with_code=False)])
    original = device.screenshot

    async def changing(*arguments: object, **more: object) -> object:
        moody.moods["screencap"] = png(next(pictures))
        return await original(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(device, "screenshot", changing)
    context = await taken(device, tmp_path)
    assert context.frames == () and "changed" in reason(context)


def test_views_with_secrets_are_found_by_their_text_their_description_and_their_kind() -> None:
    screen_ = parse_hierarchy(
        tree(
            node("Balance", (0, 0, 1, 1)),
            node("", (0, 1, 2, 3), description="Card 4111 1111 1111 1111"),
            node("hunter2", (5, 6, 7, 8), password=True),
            node("password: correct-horse", (9, 9, 10, 10)),
        )
    )
    assert set(secret_views(screen_)) == {Bounds(0, 1, 2, 3), Bounds(5, 6, 7, 8), Bounds(9, 9, 10, 10)}
