"""The card of the reader that ships: its thresholds and its figures."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from heed.model import Frozen
from models.config import Keenness


class ReaderCard(Frozen):
    """Metadata of the reader."""

    thresholds: Mapping[Keenness, float]
    """Log-odds of a need at which a suggestion is made."""
    learned_from: Mapping[str, int]
    """Numbers of labelled texts by kind, and of hands."""
    figures: Mapping[str, float]
    """On the texts of hands that it was not trained on."""


@cache
def shipped_reader_card() -> ReaderCard:
    """The card of the reader that heed ships."""
    return ReaderCard.model_validate_json(files("models.reader").joinpath("data", "reader.json").read_text("utf-8"))
