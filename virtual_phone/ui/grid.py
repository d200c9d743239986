"""The surface that icons are drawn on."""

from PIL import Image, ImageDraw

SCALE = 4
"""Icons are drawn this many times larger and then reduced: smooth edges."""


class Grid:
    """A drawing surface of 24 × 24 units."""

    def __init__(self, size: int) -> None:
        self.unit = size * SCALE / 24
        self.image = Image.new("L", (size * SCALE, size * SCALE), 0)
        self._draw = ImageDraw.Draw(self.image)

    def _points(self, *numbers: float) -> list[tuple[float, float]]:
        return [(x * self.unit, y * self.unit) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]

    def line(self, *numbers: float, width: float = 2, ink: int = 255) -> None:
        self._draw.line(self._points(*numbers), fill=ink, width=round(width * self.unit), joint="curve")
        for x, y in self._points(*numbers):
            half = width * self.unit / 2
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=ink)

    def shape(self, *numbers: float, ink: int = 255) -> None:
        self._draw.polygon(self._points(*numbers), fill=ink)

    def box(self, left: float, top: float, right: float, bottom: float, *, radius: float = 1, ink: int = 255) -> None:
        """A rounded rectangle."""
        corners = [value * self.unit for value in (left, top, right, bottom)]
        self._draw.rounded_rectangle(corners, radius * self.unit, fill=ink)

    def circle(self, x: float, y: float, radius: float, ink: int = 255) -> None:
        corners = [value * self.unit for value in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(corners, fill=ink)

    def ring(self, x: float, y: float, radius: float, width: float = 2) -> None:
        self.circle(x, y, radius)
        self.circle(x, y, radius - width, ink=0)

    def arc(self, x: float, y: float, radius: float, *, start: float, end: float, width: float = 2) -> None:
        corners = [value * self.unit for value in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.arc(corners, start, end, fill=255, width=round(width * self.unit))
