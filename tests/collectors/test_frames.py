"""Frames are stored small, once, and not for ever; black ones never."""

import io
import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from collectors.config import FramesConfig
from collectors.frames import FrameStore, NoFrameError, fingerprint, folder_of
from heed.clock import SystemClock

NOW = datetime.fromisoformat("2026-02-06T16:10:00+08:00")
CONFIG = FramesConfig(longest_side=600)


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def screen(seed: int = 0, size: tuple[int, int] = (1080, 2400)) -> Image.Image:
    """A screen with a status bar and some coloured boxes."""
    picture, dice = Image.new("RGB", size, "white"), random.Random(seed)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, size[0], size[1] // 40), fill="navy")
    for _ in range(30):
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        draw.rectangle((x, y, x + 200, y + 80), fill=(dice.randrange(256), dice.randrange(256), dice.randrange(256)))
    return picture


def test_a_frame_is_stored_small_under_its_hash(tmp_path: Path) -> None:
    frame = FrameStore(tmp_path / "frames", CONFIG).store(png(screen()), NOW)
    stored = Path(frame.path)
    assert stored.stem == frame.sha256
    with Image.open(stored) as picture:
        assert picture.size == (frame.width, frame.height) == (270, 600)
    assert stored.stat().st_size < 50_000
    assert frame.taken_at == NOW
    assert stored.parent.stat().st_mode & 0o077 == 0


def test_the_same_screen_is_stored_once(tmp_path: Path) -> None:
    store = FrameStore(tmp_path, CONFIG)
    first, second = (store.store(png(screen()), NOW + timedelta(seconds=s)) for s in (0, 9))
    assert first.sha256 == second.sha256
    assert len(list(tmp_path.iterdir())) == 1


def test_a_protected_screen_is_never_stored(tmp_path: Path) -> None:
    black = Image.new("RGB", (1080, 2400), "black")
    ImageDraw.Draw(black).rectangle((0, 0, 1080, 100), fill="white")  # the status bar stays visible
    for picture in (black, Image.new("RGBA", (1080, 2400), (3, 3, 3, 255)), Image.new("L", (720, 1280), 0)):
        with pytest.raises(NoFrameError, match="black"):
            FrameStore(tmp_path, CONFIG).store(png(picture), NOW)
    assert list(tmp_path.iterdir()) == []


def test_a_dark_screen_with_text_is_no_protected_one(tmp_path: Path) -> None:
    dark = Image.new("RGB", (1080, 2400), "black")
    ImageDraw.Draw(dark).text((300, 1200), "21:00", fill="grey")
    assert FrameStore(tmp_path, CONFIG).store(png(dark), NOW).height == 600


@pytest.mark.parametrize(
    "data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 50], ids=["none", "text", "cut"]
)
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(NoFrameError):
        FrameStore(tmp_path, CONFIG).store(data, NOW)


def test_a_torn_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoFrameError):
        FrameStore(tmp_path, CONFIG).store(png(screen())[:2000], NOW)


def test_old_frames_are_deleted(tmp_path: Path) -> None:
    config, later = FramesConfig(longest_side=600, max_days=1), timedelta(days=2)
    old = FrameStore(tmp_path, config).store(png(screen(1)), NOW)
    new = FrameStore(tmp_path, config, SystemClock(offset=later)).store(png(screen(2)), NOW + later)
    assert not Path(old.path).exists() and Path(new.path).exists()


@pytest.mark.parametrize(("phone", "host"), [(120, 0), (0, 3650), (-120, 3650), (3650, -1)])
def test_a_wrong_clock_of_the_phone_or_of_this_machine_deletes_no_frame(tmp_path: Path, phone: int, host: int) -> None:
    store = FrameStore(tmp_path, CONFIG, SystemClock(offset=timedelta(days=host)))
    frames = [store.store(png(screen(1)), NOW), store.store(png(screen(2)), NOW + timedelta(days=phone))]
    store.prune(NOW + timedelta(days=phone))
    assert all(Path(one.path).exists() for one in frames)


def test_the_folder_stays_within_its_size(tmp_path: Path) -> None:
    store = FrameStore(tmp_path, FramesConfig(longest_side=600, max_megabytes=0.05))
    frames = [store.store(png(screen(seed)), NOW + timedelta(minutes=seed)) for seed in range(12)]
    kept = sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
    assert sum(path.stat().st_size for path in kept[:-1]) <= 50_000
    assert kept[-1] == Path(frames[-1].path) and len(kept) < len(frames)


def test_a_serial_makes_a_plain_folder_name(tmp_path: Path) -> None:
    assert folder_of(tmp_path, "127.0.0.1:5555").name == "127_0_0_1_5555"
    assert folder_of(tmp_path, "../../etc").parent == folder_of(tmp_path, "..").parent == tmp_path


def test_pictures_of_the_same_screen_have_nearly_the_same_fingerprint() -> None:
    first, blink, other = screen(1), screen(1), screen(2)
    ImageDraw.Draw(blink).rectangle((500, 900, 506, 960), fill="black")  # a cursor
    ImageDraw.Draw(blink).rectangle((0, 0, 300, 50), fill="red")  # the clock of the status bar
    assert (fingerprint(first) ^ fingerprint(blink)).bit_count() <= 4
    assert (fingerprint(first) ^ fingerprint(other)).bit_count() > 20
