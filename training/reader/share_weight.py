"""``python -m training.reader.share_weight``: how much the function's share should count in the score of a call.

The shipped network reads the texts of the hands that it was not trained on, by which the thresholds are chosen. Printed
per weight of the share's logarithm: how well the needs whose function is right are told from the other texts (the share
of pairs in which the need has the higher score), over all and for each hand, and the share of the needs that get the
right function at the balanced share of look-alikes.
"""

import math
from collections.abc import Sequence

import typer
import yaml

from models.config import Keenness
from models.reader.reading import TextReader
from training.reader.figures import auc
from training.reader.install import LOOK_ALIKES, Judged, judge, threshold_of
from training.reader.run import DATA, Part, part_examples

WEIGHTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)


def main() -> None:
    """Print one line per weight."""
    reader = TextReader.load()
    judged = [judge(reader, one) for one in part_examples(Part.CHOOSE)]
    called = [one for one in judged if one.call.function]
    hands = yaml.safe_load((DATA / "hands.yaml").read_text("utf-8"))[Part.CHOOSE]
    typer.echo(f"{'weight':>6} {'all':>6} {'right':>6}  {'  '.join(hands)}")
    for weight in WEIGHTS:
        each = "  ".join(
            f"{_told_apart([one for one in called if one.hand.startswith(hand)], weight):{len(hand)}.3f}"
            for hand in hands
        )
        typer.echo(f"{weight:6.1f} {_told_apart(called, weight):6.3f} {_right(judged, weight):6.3f}  {each}")


def _told_apart(called: Sequence[Judged], weight: float) -> float:
    right = [one.kind == "need" and one.right for one in called]
    scores = [_score(one, weight) for one in called]
    good, bad = (
        [score for score, is_right in zip(scores, right, strict=True) if is_right is side] for side in (True, False)
    )
    return auc(good, bad)


def _right(judged: Sequence[Judged], weight: float) -> float:
    """The share of the needs that get the right function where as many look-alikes are suggested as at ``balanced``."""
    lookalikes = [_score(one, weight) for one in judged if one.kind == "lookalike"]
    cut = threshold_of(lookalikes, LOOK_ALIKES[Keenness.BALANCED])
    needs = [one for one in judged if one.kind == "need"]
    return sum(one.right and _score(one, weight) >= cut for one in needs) / len(needs)


def _score(one: Judged, weight: float) -> float:
    return one.call.need + weight * math.log(one.call.share) if one.call.function else -math.inf


if __name__ == "__main__":
    typer.run(main)
