"""The goods of the shop and the food-delivery app, from ``catalogue.yaml``."""

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, TypeAdapter

from heed.model import Frozen

Words = Mapping[Literal["en", "zh"], str]


class Goods(Frozen):
    """One article; ``price`` in yuan."""

    key: str
    name: Words
    about: Words
    price: int = Field(ge=1)
    glyph: str
    color: str


class Store(Frozen):
    """A seller; ``minutes`` is the time of a delivery, if shown."""

    key: str
    name: Words
    goods: tuple[Goods, ...]
    glyph: str = "bag"
    color: str = "accent"
    minutes: int = 0


@functools.cache
def _table() -> Mapping[str, tuple[Store, ...]]:
    text = resources.files("virtual_phone.ui").joinpath("catalogue.yaml").read_text("utf-8")
    return TypeAdapter(dict[str, tuple[Store, ...]]).validate_python(yaml.safe_load(text))


def stores(package: str) -> tuple[Store, ...]:
    """The sellers in an app."""
    return _table().get(package, ())


def store(package: str, key: str) -> Store | None:
    """The seller with this key."""
    return next((one for one in stores(package) if one.key == key), None)


def goods(package: str) -> dict[str, Goods]:
    """All goods of an app, by key."""
    return {one.key: one for seller in stores(package) for one in seller.goods}
