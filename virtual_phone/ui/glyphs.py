"""Icons, drawn with lines and curves on a 24-unit grid as masks of any size."""

import functools
import math
from collections.abc import Callable

from PIL import Image, ImageDraw

from virtual_phone.ui.grid import SCALE, Grid
from virtual_phone.ui.things import THINGS


def _chat(grid: Grid) -> None:
    grid.box(2, 3, 22, 17, radius=3)
    grid.shape(5, 16, 5, 22, 11, 16)
    for y in (7.5, 11.5):
        grid.line(6, y, 18 if y < 10 else 14, y, width=1.6, ink=0)


def _phone(grid: Grid) -> None:
    grid.line(6, 5, 7, 10, 10, 14, 14, 17, 19, 18, width=4)
    grid.shape(4, 3, 8, 3, 10, 9, 6, 11)
    grid.shape(21, 20, 21, 16, 15, 14, 13, 18)


def _person(grid: Grid) -> None:
    grid.circle(12, 8, 4.5)
    grid.circle(12, 21, 8)
    grid.box(0, 21, 24, 24, radius=0, ink=0)


def _clock(grid: Grid) -> None:
    grid.ring(12, 12, 10)
    grid.line(12, 6.5, 12, 12, 16, 14.5)


def _calendar(grid: Grid) -> None:
    grid.box(3, 4, 21, 22, radius=2)
    grid.box(5, 9.5, 19, 20, radius=1, ink=0)
    grid.line(8, 2.5, 8, 6)
    grid.line(16, 2.5, 16, 6)
    grid.box(13, 14, 17, 18, radius=0.5)


def _gear(grid: Grid) -> None:
    for step in range(8):
        angle = step * math.pi / 4
        grid.line(12, 12, 12 + 9.5 * math.cos(angle), 12 + 9.5 * math.sin(angle), width=3.4)
    grid.circle(12, 12, 7.5)
    grid.circle(12, 12, 3.3, ink=0)


def _globe(grid: Grid) -> None:
    grid.ring(12, 12, 10)
    grid.line(2.5, 12, 21.5, 12, width=1.6)
    grid.arc(5, 12, 12, start=-54, end=54, width=1.6)
    grid.arc(19, 12, 12, start=126, end=234, width=1.6)


def _search(grid: Grid) -> None:
    grid.ring(10, 10, 7.5, 2.2)
    grid.line(15.5, 15.5, 21, 21, width=2.4)


def _picture(grid: Grid) -> None:
    grid.box(2, 4, 22, 20, radius=2)
    grid.shape(4, 18, 9, 11, 13, 15.5, 16, 13, 20, 18, ink=0)
    grid.circle(16, 8.5, 1.8, ink=0)


def _folder(grid: Grid) -> None:
    grid.box(2, 5, 11, 12, radius=1.5)
    grid.box(2, 7.5, 22, 20, radius=2)


def _mail(grid: Grid) -> None:
    grid.box(2, 5, 22, 20, radius=2)
    grid.line(3.5, 7, 12, 13.5, 20.5, 7, width=1.6, ink=0)


def _pin(grid: Grid) -> None:
    grid.circle(12, 9.5, 7)
    grid.shape(5.6, 12.5, 18.4, 12.5, 12, 22.5)
    grid.circle(12, 9.5, 2.6, ink=0)


def _camera(grid: Grid) -> None:
    grid.box(2, 6, 22, 20, radius=2)
    grid.shape(8, 6, 9.5, 3.5, 14.5, 3.5, 16, 6)
    grid.circle(12, 13, 4.4, ink=0)
    grid.circle(12, 13, 2.6)


def _note(grid: Grid) -> None:
    grid.circle(8.5, 18, 3.6)
    grid.box(10.4, 3, 12.4, 18, radius=0.5)
    grid.box(10.4, 3, 19, 7, radius=0.8)


def _play(grid: Grid) -> None:
    grid.shape(7, 4, 7, 20, 20, 12)


def _pause(grid: Grid) -> None:
    grid.box(6, 4, 10, 20)
    grid.box(14, 4, 18, 20)


def _lines(grid: Grid) -> None:
    for y in (6, 12, 18):
        grid.line(4, y, 20 if y < 18 else 13, y, width=2.4)


def _heart(grid: Grid) -> None:
    grid.circle(7.5, 9, 5)
    grid.circle(16.5, 9, 5)
    grid.shape(3, 11, 21, 11, 12, 21)


def _coin(grid: Grid) -> None:
    grid.ring(12, 12, 10)
    grid.line(12, 6.5, 12, 17.5)
    grid.line(8.5, 9.5, 15.5, 9.5, width=1.6)
    grid.line(8.5, 14, 15.5, 14, width=1.6)


def _bag(grid: Grid) -> None:
    grid.box(4, 8, 20, 22, radius=2)
    grid.arc(12, 8, 4.5, start=180, end=360)


def _back(grid: Grid) -> None:
    grid.line(11, 5, 4.5, 12, 11, 19, width=2.2)
    grid.line(5, 12, 20, 12, width=2.2)


def _send(grid: Grid) -> None:
    grid.shape(3, 4, 22, 12, 3, 20, 6, 13, 14, 12, 6, 11)


def _plus(grid: Grid) -> None:
    grid.line(12, 4.5, 12, 19.5, width=2.2)
    grid.line(4.5, 12, 19.5, 12, width=2.2)


def _close(grid: Grid) -> None:
    grid.line(5.5, 5.5, 18.5, 18.5, width=2.2)
    grid.line(18.5, 5.5, 5.5, 18.5, width=2.2)


def _check(grid: Grid) -> None:
    grid.line(4, 12.5, 9.5, 18, 20, 6, width=2.6)


def _battery(grid: Grid) -> None:
    grid.box(7, 4, 17, 22, radius=1.5)
    grid.box(9.5, 2, 14.5, 5, radius=0.6)


def _bolt(grid: Grid) -> None:
    grid.shape(13, 2, 5, 13.5, 11, 13.5, 10, 22, 19, 10, 13, 10)


def _wifi(grid: Grid) -> None:
    for radius in (5.5, 10.5, 15.5):
        grid.arc(12, 20, radius, start=225, end=315, width=2.6)
    grid.circle(12, 18.8, 1.9)


def _signal(grid: Grid) -> None:
    grid.shape(2, 21, 21, 21, 21, 2)


def _plane(grid: Grid) -> None:
    grid.box(10.6, 2, 13.4, 22, radius=1.4)
    grid.shape(12, 8, 2, 14.5, 2, 16.5, 12, 13.5, 22, 16.5, 22, 14.5)
    grid.shape(12, 18, 8, 21, 8, 22.4, 12, 21.4, 16, 22.4, 16, 21)


def _moon(grid: Grid) -> None:
    grid.circle(12, 12, 9)
    grid.circle(16, 8.5, 7.5, ink=0)


def _minus_circle(grid: Grid) -> None:
    grid.circle(12, 12, 9.5)
    grid.box(6.5, 10.8, 17.5, 13.2, radius=0.6, ink=0)


def _bell(grid: Grid) -> None:
    grid.circle(12, 9.5, 6)
    grid.shape(6, 9.5, 18, 9.5, 20, 18, 4, 18)
    grid.circle(12, 20, 2)


def _bluetooth(grid: Grid) -> None:
    grid.line(6.5, 7.5, 17, 16.5, 12, 21, 12, 3, 17, 7.5, 6.5, 16.5, width=1.8)


def _sun(grid: Grid) -> None:
    for step in range(8):
        angle = step * math.pi / 4
        grid.line(12, 12, 12 + 9.5 * math.cos(angle), 12 + 9.5 * math.sin(angle), width=1.8)
    grid.circle(12, 12, 6.4, ink=0)
    grid.circle(12, 12, 4.8)


def _lock(grid: Grid) -> None:
    grid.box(5, 11, 19, 22, radius=2)
    grid.arc(12, 8.5, 4.8, start=180, end=360, width=2)
    grid.box(7.2, 8.2, 9.2, 12, radius=0)
    grid.box(14.8, 8.2, 16.8, 12, radius=0)
    grid.circle(12, 16.5, 1.8, ink=0)


def _trash(grid: Grid) -> None:
    grid.box(6, 7.5, 18, 22, radius=1.6)
    grid.box(4, 4, 20, 6.2, radius=0.8)
    grid.box(9, 2.4, 15, 5, radius=0.8)


def _app(grid: Grid) -> None:
    for x in (4, 13):
        for y in (4, 13):
            grid.box(x, y, x + 7, y + 7, radius=1.4)


def _dots(grid: Grid) -> None:
    for y in (5, 12, 19):
        grid.circle(12, y, 2)


def _hourglass(grid: Grid) -> None:
    grid.box(5, 2, 19, 4.4, radius=0.6)
    grid.box(5, 19.6, 19, 22, radius=0.6)
    grid.shape(6.5, 4.4, 17.5, 4.4, 12.8, 12, 17.5, 19.6, 6.5, 19.6, 11.2, 12)


def _volume(grid: Grid) -> None:
    grid.shape(3, 9, 7.5, 9, 13, 4, 13, 20, 7.5, 15, 3, 15)
    grid.arc(13, 12, 5, start=-50, end=50, width=2)


_GLYPHS: dict[str, Callable[[Grid], None]] = {
    "app": _app, "back": _back, "bag": _bag, "battery": _battery, "bell": _bell, "bluetooth": _bluetooth, "bolt": _bolt,
    "calendar": _calendar, "camera": _camera, "chat": _chat, "check": _check, "clock": _clock, "close": _close,
    "coin": _coin, "dots": _dots, "folder": _folder, "gear": _gear, "globe": _globe, "heart": _heart,
    "hourglass": _hourglass, "lines": _lines, "lock": _lock, "mail": _mail, "minus_circle": _minus_circle,
    "moon": _moon, "note": _note, "pause": _pause, "person": _person, "phone": _phone, "picture": _picture, "pin": _pin,
    "plane": _plane, "play": _play, "plus": _plus, "search": _search, "send": _send, "signal": _signal, "sun": _sun,
    "trash": _trash, "volume": _volume, "wifi": _wifi,
    **THINGS,
}  # fmt: skip
NAMES = tuple(_GLYPHS)


@functools.lru_cache(maxsize=256)
def mask(name: str, size: int) -> Image.Image:
    """The icon as a mask of ``size`` × ``size`` pixels; unknown names give the app icon."""
    grid = Grid(size)
    _GLYPHS.get(name, _app)(grid)
    return grid.image.resize((size, size), Image.Resampling.LANCZOS)


@functools.lru_cache(maxsize=64)
def corner(radius: int) -> Image.Image:
    """The top left quarter of a disc, smooth, as a mask."""
    image = Image.new("L", (radius * SCALE, radius * SCALE), 0)
    size = radius * SCALE * 2
    ImageDraw.Draw(image).ellipse((0, 0, size - 1, size - 1), fill=255)
    return image.resize((radius, radius), Image.Resampling.LANCZOS)
