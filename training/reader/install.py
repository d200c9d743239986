"""``python -m training.reader.install ADAPTERS...``: puts trained adapters into the network that ships.

The thresholds are chosen on the texts of hands that were not learned from: by how many of their look-alikes a
suggestion would be made.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import torch
import typer

from function_pool.spec import default_pool
from heed.language import language_of
from models.config import Keenness
from models.perceptor.network import Network, shipped_vocabulary
from models.perceptor.perceptor import shipped_card
from models.reader.card import ReaderCard
from models.reader.reading import TextReader
from models.reader.reasoner import BestCall, best_call, served
from models.values.person import Person
from training.perceptor.network import to_onnx
from training.reader.base import shipped_weights
from training.reader.examples import ReaderExample, by_kind
from training.reader.run import Part, part_examples

LOOK_ALIKES = {Keenness.SHY: 0.02, Keenness.BALANCED: 0.04, Keenness.KEEN: 0.1}
"""Share of the look-alikes at which a suggestion is made."""
ROOT = Path(__file__).parents[2]


class Judged(NamedTuple):
    """A text with the call that would be suggested."""

    hand: str
    kind: str
    call: BestCall
    right: bool
    """Whether the call's function is one of the accepted ones."""

    @property
    def score(self) -> float:
        """The call's; below every threshold without a call."""
        return self.call.score if self.call.function else -math.inf


def install(
    adapters: Annotated[list[Path], typer.Argument(help="What trainings stored; their mean is installed.")],
) -> None:
    """Write the network and the reader's card."""
    trained = [torch.load(path) for path in adapters]
    weights = {name: (sum(one[name] for one in trained) / len(trained)).numpy() for name in trained[0]}
    network = to_onnx(shipped_weights(), weights)
    reader = TextReader(Network(network), shipped_vocabulary(), shipped_card().functions)
    judged = [judge(reader, one) for one in part_examples(Part.CHOOSE)]
    thresholds = {keenness: threshold(judged, share) for keenness, share in LOOK_ALIKES.items()}
    own = part_examples(Part.LEARN)
    hands = len({one.hand for one in own if one.spans_known})
    figures = {name: round(value, 3) for name, value in rates(judged, thresholds[Keenness.BALANCED]).items()}
    card = ReaderCard(thresholds=thresholds, learned_from={**by_kind(own), "hands": hands}, figures=figures)
    (ROOT / "models/perceptor/data/perceptor.onnx").write_bytes(network)
    text = json.dumps(card.model_dump(mode="json"), indent=1)
    (ROOT / "models/reader/data/reader.json").write_text(text + "\n", "utf-8")
    typer.echo(text)


def judge(reader: TextReader, one: ReaderExample) -> Judged:
    """What the reader would suggest for a labelled text."""
    pool = default_pool()
    reading = reader.read(one.given)
    names = served(one.text, reading, [spec.name for spec in pool])
    found = best_call(reading, one.text, one.moment.now, Person(language=language_of(one.text.text)), pool, names)
    return Judged(one.hand, one.kind, found, found.function in one.functions)


def threshold(judged: Sequence[Judged], share: float) -> float:
    """The lowest score at which at most this share of the look-alikes is suggested."""
    return threshold_of([one.score for one in judged if one.kind == "lookalike"], share)


def threshold_of(scores: Sequence[float], share: float) -> float:
    """The lowest threshold that at most this share of the scores reaches."""
    return round(sorted(scores, reverse=True)[int(share * len(scores))] + 1e-3, 3)


def rates(judged: Sequence[Judged], cut: float) -> dict[str, float]:
    """Shares of the needs with the right function, of the needs with a wrong one, and of the rest, at a threshold."""
    by_name = {kind: [one for one in judged if one.kind == kind] for kind in ("need", "lookalike", "ordinary")}
    needs = by_name["need"]
    return {
        "texts": float(len(judged)),
        "right": sum(one.score >= cut and one.right for one in needs) / len(needs),
        "wrong_function": sum(one.score >= cut and not one.right for one in needs) / len(needs),
        **{
            kind: sum(one.score >= cut for one in by_name[kind]) / len(by_name[kind])
            for kind in ("lookalike", "ordinary")
        },
    }


if __name__ == "__main__":
    typer.run(install)
