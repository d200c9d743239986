"""More icons: goods, food and controls."""

from collections.abc import Callable, Mapping

from virtual_phone.ui.grid import Grid


def _bowl(grid: Grid) -> None:
    grid.circle(12, 12, 9.5)
    grid.box(0, 0, 24, 12, radius=0, ink=0)
    grid.box(2, 11, 22, 13.4, radius=1)
    grid.box(8, 20, 16, 22.4, radius=0.8)
    grid.line(7, 9, 16, 2.5, width=1.5)
    grid.line(10.5, 9, 19, 3.5, width=1.5)


def _burger(grid: Grid) -> None:
    grid.circle(12, 11.5, 9)
    grid.box(0, 11, 24, 24, radius=0, ink=0)
    grid.box(2, 12.4, 22, 15, radius=1.2)
    grid.box(3, 16.4, 21, 21, radius=2)


def _cup(grid: Grid) -> None:
    grid.shape(5, 7, 19, 7, 17, 22, 7, 22)
    grid.box(4, 4.6, 20, 7, radius=0.8)
    grid.line(13, 4.5, 15.5, 1.5, width=1.5)
    grid.box(7.6, 11.5, 16.4, 16.5, radius=0.6, ink=0)


def _pizza(grid: Grid) -> None:
    grid.shape(3, 6.5, 21, 6.5, 12, 22.5)
    grid.box(2, 3, 22, 7, radius=2)
    for x, y in ((9, 10), (14.5, 10.5), (11.8, 15.5)):
        grid.circle(x, y, 1.7, ink=0)


def _cake(grid: Grid) -> None:
    grid.box(3, 11, 21, 21, radius=1.6)
    grid.line(4.5, 15.5, 8, 14, 12, 16, 16, 14, 19.5, 15.5, width=1.6, ink=0)
    grid.line(12, 5, 12, 11, width=2)
    grid.circle(12, 3.4, 1.6)


def _leaf(grid: Grid) -> None:
    grid.circle(9.5, 13.5, 7.5)
    grid.shape(9.5, 6, 20.5, 3, 17, 13.5)
    grid.line(4, 20.5, 14, 10, width=1.6, ink=0)


def _headphones(grid: Grid) -> None:
    grid.arc(12, 13, 9.2, start=180, end=360, width=2.4)
    grid.box(2.6, 13, 8, 21.5, radius=2)
    grid.box(16, 13, 21.4, 21.5, radius=2)


def _book(grid: Grid) -> None:
    grid.box(4, 2, 20, 22, radius=2)
    grid.box(7, 17.6, 20, 20, radius=0.4, ink=0)
    grid.line(8.5, 7, 16, 7, width=1.6, ink=0)
    grid.line(8.5, 10.6, 13.5, 10.6, width=1.6, ink=0)


def _shirt(grid: Grid) -> None:
    grid.shape(8, 3, 16, 3, 22.5, 7, 20, 12, 17.5, 10.6, 17.5, 21.5, 6.5, 21.5, 6.5, 10.6, 4, 12, 1.5, 7)
    grid.circle(12, 3, 2.8, ink=0)


def _umbrella(grid: Grid) -> None:
    grid.circle(12, 12.5, 9.8)
    grid.box(0, 12.5, 24, 24, radius=0, ink=0)
    grid.line(12, 12, 12, 19.5, width=1.9)
    grid.arc(9.8, 19.4, 3.1, start=0, end=180, width=1.9)


def _lamp(grid: Grid) -> None:
    grid.shape(8.5, 3, 15.5, 3, 20, 13, 4, 13)
    grid.line(12, 13, 12, 20, width=2)
    grid.box(7, 19.6, 17, 22, radius=0.8)


def _shoe(grid: Grid) -> None:
    grid.shape(2, 8, 8, 8, 12, 12.5, 20, 14.5, 22, 17, 2, 17)
    grid.box(2, 17.6, 22.4, 20.4, radius=1)


def _cart(grid: Grid) -> None:
    grid.line(1.8, 4, 5, 4, 8, 15.5, 18.5, 15.5, 21, 7, 6, 7, width=2)
    grid.shape(6, 7, 21, 7, 18.5, 15, 8, 15)
    grid.circle(9, 20, 2)
    grid.circle(17.5, 20, 2)


def _home(grid: Grid) -> None:
    grid.shape(12, 2.6, 22.5, 12, 1.5, 12)
    grid.box(4.5, 10.5, 19.5, 21.5, radius=1)
    grid.box(10, 14.5, 14, 21.5, radius=0.3, ink=0)


def _minus(grid: Grid) -> None:
    grid.line(4.5, 12, 19.5, 12, width=2.2)


def _up(grid: Grid) -> None:
    grid.line(5, 15.5, 12, 8.5, 19, 15.5, width=2.4)


def _down(grid: Grid) -> None:
    grid.line(5, 8.5, 12, 15.5, 19, 8.5, width=2.4)


def _next(grid: Grid) -> None:
    grid.shape(5, 4.5, 5, 19.5, 16, 12)
    grid.box(16.5, 4.5, 19.5, 19.5, radius=0.6)


def _previous(grid: Grid) -> None:
    grid.shape(19, 4.5, 19, 19.5, 8, 12)
    grid.box(4.5, 4.5, 7.5, 19.5, radius=0.6)


def _timer(grid: Grid) -> None:
    grid.ring(12, 13.5, 8.8)
    grid.box(9, 1.6, 15, 4, radius=0.6)
    grid.line(12, 9, 12, 13.5, width=2)


def _pencil(grid: Grid) -> None:
    grid.shape(3, 21, 3, 16.6, 14.6, 5, 19, 9.4, 7.4, 21)
    grid.shape(15.8, 3.8, 18, 1.8, 22.2, 6, 20.2, 8.2)


def _star(grid: Grid) -> None:
    grid.shape(12, 2, 15, 9, 22.4, 9.6, 16.8, 14.6, 18.5, 22, 12, 18, 5.5, 22, 7.2, 14.6, 1.6, 9.6, 9, 9)


def _keypad(grid: Grid) -> None:
    for x in (5, 12, 19):
        for y in (5, 12, 19):
            grid.circle(x, y, 2)


def _forward(grid: Grid) -> None:
    grid.line(13, 5, 19.5, 12, 13, 19, width=2.2)
    grid.line(4, 12, 19, 12, width=2.2)


def _restore(grid: Grid) -> None:
    grid.arc(12.5, 13, 8.5, start=-160, end=120, width=2.2)
    grid.shape(1.5, 9.5, 8.5, 4, 9, 12)


def _turn(grid: Grid) -> None:
    grid.line(7, 21, 7, 11, 17, 11, width=2.6)
    grid.shape(15.5, 5.5, 22, 11, 15.5, 16.5)


def _compass(grid: Grid) -> None:
    grid.shape(12, 2, 20, 21, 12, 16.6, 4, 21)


THINGS: Mapping[str, Callable[[Grid], None]] = {
    "book": _book, "bowl": _bowl, "burger": _burger, "cake": _cake, "cart": _cart, "compass": _compass, "cup": _cup,
    "down": _down, "forward": _forward, "headphones": _headphones, "home": _home, "keypad": _keypad, "lamp": _lamp,
    "leaf": _leaf, "minus": _minus, "next": _next, "pencil": _pencil, "pizza": _pizza, "previous": _previous,
    "restore": _restore, "shirt": _shirt, "shoe": _shoe, "star": _star, "timer": _timer, "turn": _turn,
    "umbrella": _umbrella, "up": _up,
}  # fmt: skip
