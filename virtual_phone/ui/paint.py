"""Draws widget trees to pixels."""

from PIL import Image, ImageDraw

from virtual_phone import fonts
from virtual_phone.ui import glyphs, pictures
from virtual_phone.ui.theme import Color, color
from virtual_phone.ui.tree import Box, ScreenWindow, ViewNode, ViewStyle

_LINE = 1.32
"""Line height over font size."""


def draw(windows: list[ScreenWindow], size: tuple[int, int], *, dark: bool) -> Image.Image:
    """Draw the windows, bottom first."""
    image = Image.new("RGB", size, color("background", dark=dark))
    painter = _Painter(image, dark)
    for window in windows:
        painter.window(window, Box(0, 0, *size))
    return image


class _Painter:
    def __init__(self, image: Image.Image, dark: bool) -> None:
        self._image, self._dark = image, dark
        self._pen = ImageDraw.Draw(image)

    def window(self, window: ScreenWindow, clip: Box) -> None:
        if window.dims:
            self._image.paste(self._image.point(lambda part: part * 45 // 100))
        if window.secure:
            self._rounded(window.root.box, 0, (0, 0, 0))
        else:
            self.node(window.root, clip)

    def node(self, node: ViewNode, clip: Box) -> None:
        visible = node.box.clipped(clip)
        if visible.width <= 0 or visible.height <= 0:
            return
        self._body(node, visible)
        if node.kind == "list":
            self._inside(node, visible)
        else:
            self._children(node, clip)

    def _children(self, node: ViewNode, clip: Box) -> None:
        for child in node.children:
            self.node(child, clip)

    def _inside(self, node: ViewNode, visible: Box) -> None:
        """Draw a scrolling list, and restore what it overdrew above and below."""
        outside = [Box(visible.left, 0, visible.right, visible.top)]
        outside.append(Box(visible.left, visible.bottom, visible.right, self._image.height))
        kept = [(box, self._image.crop(box)) for box in outside if box.height]
        self._children(node, visible)
        for box, part in kept:
            self._image.paste(part, (box.left, box.top))

    def _body(self, node: ViewNode, visible: Box) -> None:
        style, box = node.style, node.box
        if style.border:
            self._rounded(box, style.radius, self._color(style.border))
            inner = Box(box.left + 3, box.top + 3, box.right - 3, box.bottom - 3)
            self._rounded(inner, max(0, style.radius - 3), self._color(style.fill or "background"))
        elif style.fill:
            self._rounded(box, style.radius, self._color(style.fill))
        if node.kind == "picture":
            self._picture(node, visible)
        elif node.kind == "switch":
            self._switch(node)
        elif style.glyph:
            self._glyph(node)
        if node.text or (node.hint and node.kind == "field"):
            self._text(node)
        if node.text and node.hint and style.border and not style.glyph:
            self._label(node)

    def _color(self, role: str) -> Color:
        return color(role, dark=self._dark)

    def _rounded(self, box: Box, radius: int, fill: Color) -> None:
        radius = max(0, min(radius, box.width // 2, box.height // 2))
        left, top, right, bottom = box
        if radius == 0:
            self._pen.rectangle((left, top, right - 1, bottom - 1), fill=fill)
            return
        if box.width > 2 * radius:
            self._pen.rectangle((left + radius, top, right - radius - 1, bottom - 1), fill=fill)
        if box.height > 2 * radius:
            self._pen.rectangle((left, top + radius, right - 1, bottom - radius - 1), fill=fill)
        mask = glyphs.corner(radius)
        spots = (
            (left, top, mask),
            (right - radius, top, mask.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
            (left, bottom - radius, mask.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
            (right - radius, bottom - radius, mask.transpose(Image.Transpose.ROTATE_180)),
        )
        for x, y, shape in spots:
            self._image.paste(fill, (x, y), shape)

    def _glyph(self, node: ViewNode) -> None:
        size = node.style.size
        x, y = node.box.center
        beside_text = node.text or node.kind == "field"
        where = (node.box.left + _padding(node) if beside_text else x - size // 2, y - size // 2)
        self._image.paste(self._color(node.style.ink), where, glyphs.mask(node.style.glyph, size))

    def _switch(self, node: ViewNode) -> None:
        box, on = node.box, bool(node.checked)
        self._rounded(box, box.height // 2, self._color("primary" if on else "switch_off"))
        size = box.height - (20 if on else 32)
        x = box.right - box.height // 2 if on else box.left + box.height // 2
        y = box.center[1]
        knob = Box(x - size // 2, y - size // 2, x - size // 2 + size, y - size // 2 + size)
        self._rounded(knob, size // 2, self._color("on_primary" if on else "card"))

    def _picture(self, node: ViewNode, visible: Box) -> None:
        picture = pictures.draw(node.style.glyph, (node.box.width, node.box.height))
        part = (0, visible.top - node.box.top, visible.width, visible.bottom - node.box.top)
        self._image.paste(picture.crop(part), (visible.left, visible.top))

    def _text(self, node: ViewNode) -> None:
        style = node.style
        indent = style.size + 24 if style.glyph else 0
        padding = _padding(node)
        left, right = node.box.left + padding + indent, node.box.right - padding
        shown, ink = (node.text, style.ink) if node.text else (node.hint, "faint")
        shown = "•" * len(shown) if node.password and node.text else shown
        room = max(1, round((node.box.height + 6) / (style.size * _LINE)))
        lines = fonts.wrap(shown, style.size, max(1, right - left), room, bold=style.bold)
        height = style.size * _LINE
        y = node.box.top + (30 if style.top else (node.box.height - height * len(lines)) / 2)
        for line in lines:
            x = _start(line, style, left, right)
            self._line(line, x, y + height * 0.5, style, self._color(ink))
            y += height
        if node.focused:
            last = lines[-1] if node.text else ""
            end = round(_start(last, style, left, right)) + fonts.width(last, style.size, bold=style.bold)
            self._pen.rectangle((end + 4, y - height, end + 7, y), fill=self._color("primary"))

    def _label(self, node: ViewNode) -> None:
        """Draw the label of a filled field, small, on its upper edge."""
        style = ViewStyle(size=30, ink="primary" if node.focused else "faint")
        left, width = node.box.left + 30, fonts.width(node.hint, style.size)
        self._rounded(
            Box(left - 9, node.box.top - 6, left + width + 9, node.box.top + 12), 0, self._color("background")
        )
        self._line(node.hint, left, node.box.top, style, self._color(style.ink))

    def _line(self, line: str, x: float, middle: float, style: ViewStyle, ink: Color) -> None:
        baseline = middle + style.size * 0.36
        for run, wide in fonts.runs(line):
            font, stroke = (
                fonts.font(style.size, wide, bold=style.bold),
                fonts.stroke(style.size, wide, bold=style.bold),
            )
            self._pen.text((x, baseline), run, font=font, fill=ink, anchor="ls", stroke_width=stroke, stroke_fill=ink)
            x += font.getlength(run)


def _padding(node: ViewNode) -> int:
    return min(36, node.box.width // 8) if node.style.fill or node.style.border else 0


def _start(line: str, style: ViewStyle, left: int, right: int) -> float:
    spare = right - left - fonts.width(line, style.size, bold=style.bold)
    return left + {"left": 0, "center": spare / 2, "right": spare}[style.align]
