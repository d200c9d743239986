"""Generated photographs, screenshots and the wallpaper: smooth landscapes that differ by seed."""

import functools
import hashlib
import math

from PIL import Image, ImageDraw

from virtual_phone import text_picture
from virtual_phone.state.media import MediaItem

_SKIES = (
    ((255, 190, 130), (120, 160, 220)), ((180, 215, 255), (90, 140, 220)), ((250, 215, 225), (160, 150, 215)),
    ((205, 235, 225), (110, 170, 200)), ((255, 225, 170), (235, 150, 140)),
)  # fmt: skip


_TEXT = "text-"


def seed_of(item: MediaItem) -> str:
    """The seed of a picture in the media store."""
    if item.shows:
        return _TEXT + item.shows
    return ("screenshot-" if "Screenshot" in item.folder else "photo-") + item.name


@functools.lru_cache(maxsize=64)
def draw(seed: str, size: tuple[int, int]) -> Image.Image:
    """A picture for ``seed``: ``wallpaper…``, ``map…``, ``screenshot…``, ``text-`` and the text that it shows, or
    anything else for a photograph."""
    if seed.startswith(_TEXT):
        return text_picture.draw(seed.removeprefix(_TEXT), size)
    number = int.from_bytes(hashlib.blake2s(seed.encode(), digest_size=4).digest(), "big")
    if seed.startswith("screenshot"):
        return _screenshot(number, size)
    if seed.startswith("map"):
        return _map(size, dark=seed.endswith("dark"), route="route" in seed)
    return _landscape(number, size, dark=seed.startswith("wallpaper-dark"))


def _landscape(number: int, size: tuple[int, int], *, dark: bool) -> Image.Image:
    low, high = _SKIES[number % len(_SKIES)]
    if dark:
        low, high = (40, 45, 70), (12, 16, 34)
    image = Image.linear_gradient("L").resize(size)
    image = Image.composite(Image.new("RGB", size, low), Image.new("RGB", size, high), image)
    pen = ImageDraw.Draw(image)
    width, height = size
    for layer in range(4):
        base = height * (0.55 + 0.12 * layer)
        phase = (number >> (layer * 4)) % 97
        points = [
            (x, base + math.sin(x / width * (3 + layer) + phase) * height * 0.05 + math.sin(x / width * 9 + phase) * 12)
            for x in range(0, width + 20, 20)
        ]
        shade = tuple(round(part * (0.72 - 0.15 * layer)) for part in low)
        pen.polygon([(0, height), *points, (width, height)], fill=shade)
    return image


def _screenshot(number: int, size: tuple[int, int]) -> Image.Image:
    image = Image.new("RGB", size, (246, 247, 250))
    pen = ImageDraw.Draw(image)
    width, height = size
    tint = _SKIES[number % len(_SKIES)][1]
    pen.rectangle((0, 0, width, height // 9), fill=tint)
    for row in range(7):
        top = height // 7 + row * height // 9
        pen.rounded_rectangle(
            (width // 14, top, width * 13 // 14, top + height // 12), height // 60, fill=(228, 231, 238)
        )
        pen.ellipse(
            (width // 9, top + height // 50, width // 9 + height // 22, top + height // 50 + height // 22), fill=tint
        )
    return image


_MAP_COLORS = {
    False: ("#eaedf0", "#ffffff", "#f7d98b", "#c8e6c9", "#aadaff", "#1a73e8"),
    True: ("#24282f", "#3a4049", "#6b5c34", "#22402b", "#17334f", "#8ab4f8"),
}
"""Colours of ground, streets, main streets, parks, water and the route, light and dark."""


def _map(size: tuple[int, int], *, dark: bool, route: bool) -> Image.Image:
    """A generated map around a river; with ``route`` a route to a pin."""
    ground, street, main, park, water, way = _MAP_COLORS[dark]
    image = Image.new("RGB", size, ground)
    pen = ImageDraw.Draw(image)
    width, height = size
    for west, north, east, south in ((0.08, 0.14, 0.42, 0.27), (0.62, 0.6, 1.0, 0.74)):
        pen.rounded_rectangle((west * width, north * height, east * width, south * height), 30, fill=park)
    river = [(x, height * 0.83 + math.sin(x / width * 4) * 60 - x * 0.25) for x in range(-60, width + 90, 30)]
    pen.line(river, fill=water, width=130, joint="curve")
    for top in range(-380, 3040, 190):
        pen.line((0, top, width, top + 120), fill=street, width=20)
    for left in range(-340, 1530, 170):
        pen.line((left, 0, left - 150, height), fill=street, width=20)
    pen.line((0, height * 0.3, width, height * 0.42), fill=main, width=38)
    pen.line((width * 0.62, 0, width * 0.5, height), fill=main, width=38)
    if route:
        points = [(0.2, 0.8), (0.24, 0.58), (0.56, 0.61), (0.6, 0.385), (0.78, 0.405)]
        line = [(x * width, y * height) for x, y in points]
        pen.line(line, fill=way, width=26, joint="curve")
        _pin(pen, line[-1])
        x, y = line[0]
        pen.ellipse((x - 28, y - 28, x + 28, y + 28), fill=way, outline="#ffffff", width=8)
    return image


def _pin(pen: ImageDraw.ImageDraw, tip: tuple[float, float]) -> None:
    x, y = tip
    pen.polygon([(x - 42, y - 84), (x + 42, y - 84), (x, y)], fill="#d93025")
    pen.ellipse((x - 48, y - 140, x + 48, y - 44), fill="#d93025")
    pen.ellipse((x - 18, y - 110, x + 18, y - 74), fill="#ffffff")
