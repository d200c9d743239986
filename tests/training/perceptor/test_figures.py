"""How the figures count needs of several functions and moments that stand alone, and what sets the threshold."""

from collectors.context import RenderedContext
from models.perceptor import Perception
from models.perceptor.perceptor import CANDIDATES
from training.perceptor.examples import Example
from training.perceptor.figures import figures, threshold

FUNCTIONS = ("set_alarm", "play_music", "pay_bill")
SAID = RenderedContext(profile="", phone="", world="")


def taken(about: tuple[int, ...], *candidates: str) -> dict[str, float]:
    found = [Example(SAID, needed, about, "en", "one", "1", "gist") for needed in (True, False)]
    seen = [
        Perception(p_act=p_act, opens=False, scenarios=(), candidates=tuple((name, 0.1) for name in candidates))
        for p_act in (0.9, 0.2)
    ]
    return figures(found, seen, FUNCTIONS, 0.5)


def test_the_first_function_is_right_if_it_is_one_of_them_and_the_candidates_only_with_all() -> None:
    both = taken((0, 1), "play_music", "pay_bill", "set_alarm")
    assert (both["first_function"], both[f"candidate_recall_{CANDIDATES}"]) == (1, 1)
    one = taken((0, 1), "pay_bill", "set_alarm")
    assert (one["first_function"], one[f"candidate_recall_{CANDIDATES}"]) == (0, 0)


def test_a_need_above_its_look_alike_is_told_right() -> None:
    made = taken((0,), "set_alarm")
    assert (made["above_own_look_alike"], made["gate_recall"], made["false_trigger_rate"]) == (1, 1, 0)
    assert made["en_gate_auc"] == made["one_gate_auc"] == 1


def test_moments_that_stand_alone_are_above_nothing() -> None:
    found = [Example(SAID, needed, (0,), "en", "one", str(needed), "gist") for needed in (True, False)]
    seen = [Perception(p_act=0.5, opens=False, scenarios=(), candidates=()) for _ in found]
    made = figures(found, seen, FUNCTIONS, 0.5)
    assert "above_own_look_alike" not in made
    assert made["gate_auc"] == 0


def test_the_threshold_holds_for_nine_writers_in_ten() -> None:
    gates = {f"writer {k}": [(10 * k + more) / 200 for more in range(10)] for k in range(10)}
    found = [Example(SAID, False, (0,), "en", writer, "1", "gist") for writer, own in gates.items() for _ in own]
    seen = [Perception(p_act=p, opens=False, scenarios=(), candidates=()) for own in gates.values() for p in own]
    assert threshold(found, seen) == gates["writer 8"][9]
    assert threshold(found[:10], seen[:10]) == gates["writer 0"][9]
