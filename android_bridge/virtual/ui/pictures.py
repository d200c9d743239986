"""Made-up photographs, screenshots and the wallpaper: smooth landscapes that differ by seed."""

import functools
import hashlib
import math

from PIL import Image, ImageDraw

_SKIES = (
    ((255, 190, 130), (120, 160, 220)), ((180, 215, 255), (90, 140, 220)), ((250, 215, 225), (160, 150, 215)),
    ((205, 235, 225), (110, 170, 200)), ((255, 225, 170), (235, 150, 140)),
)  # fmt: skip


@functools.lru_cache(maxsize=64)
def draw(seed: str, size: tuple[int, int]) -> Image.Image:
    """A picture for ``seed``: ``wallpaper…``, ``screenshot…`` or anything else for a photograph."""
    number = int.from_bytes(hashlib.blake2s(seed.encode(), digest_size=4).digest(), "big")
    if seed.startswith("screenshot"):
        return _screenshot(number, size)
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
