"""Arguments are read from a rendered context: words at their place, allowed values, nothing that is not there."""

from collections.abc import Mapping
from datetime import datetime

import numpy as np
import pytest
from pydantic import JsonValue

from collectors.context import RenderedContext
from function_pool.spec import default_pool
from models.perceptor.features import MOST, Array
from models.perceptor.network import Network, shipped_network, shipped_vocabulary
from models.reader.choices import choice_count, choice_outputs
from models.reader.context_input import context_pieces, context_text
from models.reader.context_reader import ContextReader
from models.reader.roles import roles
from models.reader.usual import usual_values

POOL = default_pool()
VOCABULARY = shipped_vocabulary()
SAID = RenderedContext(
    profile="Ann, 34, a nurse in Leeds; banks with Monzo.",
    phone="Tue 12 May 2026, 09:10; battery 64 %",
    world="Rain until noon.",
    trace=("08:50 opened the calendar", "09:05 Tom: the boiler man comes on Thursday at 8.30, be in please"),
)


class Pointing(Network):
    """A network that points at given words for given roles, and prefers given outputs for choices."""

    def __init__(
        self, words: Mapping[str, str], preferred: tuple[int, ...], said: RenderedContext, points: float
    ) -> None:
        super().__init__(b"")
        self._words, self._preferred, self._said, self._points = words, preferred, said, points

    def read(self, pieces: Array, kinds: Array) -> Mapping[str, Array]:
        placed = context_pieces(self.function, self._said, VOCABULARY)
        starts, ends = (np.zeros((len(placed), len(roles())), dtype=np.float32) for _ in range(2))
        starts[0] = ends[0] = 1.0
        for role, words in self._words.items():
            at = context_text(self._said).index(words)
            inside = [
                number
                for number, piece in enumerate(placed)
                if piece.start >= 0 and piece.end > at and piece.start < at + len(words)
            ]
            starts[inside[0], roles().index(role)] = ends[inside[-1], roles().index(role)] = 5.0
        choices = np.zeros(choice_count(), dtype=np.float32)
        choices[list(self._preferred)] = self._points
        return {"starts": starts, "ends": ends, "choices": choices}

    function = ""


def arguments(
    function: str,
    words: Mapping[str, str],
    now: datetime | None = None,
    preferred: tuple[int, ...] = (),
    said: RenderedContext = SAID,
    *,
    points: float = 3.0,
) -> dict[str, JsonValue]:
    """What is read where the network points at ``words`` and gives the ``preferred`` outputs ``points``."""
    network = Pointing(words, preferred, said, points)
    network.function = function
    return ContextReader(network, VOCABULARY).arguments(POOL.get(function), said, now)


NOW = datetime(2026, 5, 12, 9, 10)  # noqa: DTZ001 - the phone's local time


def test_words_become_values() -> None:
    found = arguments("create_calendar_event", {"title": "boiler man", "when": "Thursday at 8.30"}, NOW)
    assert found == {"title": "Boiler man", "start_time": "2026-05-14T08:30:00"}


def test_without_a_date_a_time_is_a_clock_time() -> None:
    found = arguments("create_calendar_event", {"title": "boiler man", "when": "Thursday at 8.30"})
    assert found["start_time"] == "08:30"


@pytest.mark.parametrize(
    ("function", "words", "name", "value"),
    [
        ("create_calendar_event", {"when": "on Thursday"}, "start_time", "08:30"),  # the clock time beside it
        ("book_hotel", {"when": "Tue 12 May"}, "check_in_date", "12 May"),
        ("book_medical_appointment", {"when": "on Thursday at 8.30"}, "date", "Thursday"),
        ("book_hotel", {"until": "Tue 12 May 2026, 09:10"}, "check_out_date", "12 May 2026"),
    ],
)
def test_without_a_date_a_day_is_its_words(function: str, words: dict[str, str], name: str, value: str) -> None:
    assert arguments(function, words)[name] == value


def test_a_value_that_no_moment_states_is_the_usual_one() -> None:
    setting = choice_outputs()["set_display.setting"]
    chosen = setting.first + 1 + list(setting.values).index("screen_timeout")
    assert arguments("set_display", {"count": "64"}, NOW, (chosen,)) == {"setting": "screen_timeout", "value": "longer"}


def test_usual_values_are_of_parameters_and_choices_of_the_pool() -> None:
    for name, languages in usual_values().items():
        function, parameter = name.split(".")
        for stated in languages.values():
            if not isinstance(stated, str):
                ((other, values),) = stated.items()
                assert set(values) == set(POOL.get(function).parameters[other].choices)
                order = list(POOL.get(function).parameters)
                assert order.index(other) < order.index(parameter)


def test_an_optional_value_that_is_not_stated_is_left_out() -> None:
    assert set(arguments("create_calendar_event", {"title": "boiler man", "when": "Thursday at 8.30"}, NOW)) == {
        "title",
        "start_time",
    }


def test_an_allowed_value_is_chosen_and_an_optional_one_only_where_it_is_stated() -> None:
    mode, power = (choice_outputs()[f"set_{name}"] for name in ("do_not_disturb.mode", "power_saving_mode.mode"))
    assert arguments("set_do_not_disturb", {}, NOW, (mode.first + 2,)) == {"mode": mode.values[1]}
    assert "mode" not in arguments("set_power_saving_mode", {}, NOW, (power.first,))
    assert arguments("set_power_saving_mode", {}, NOW, (power.first + 1,))["mode"] == power.values[0]


def test_an_app_of_an_open_list_is_the_one_that_the_words_name() -> None:
    app = choice_outputs()["send_instant_message.app_name"]
    other = app.first + 1 + next(number for number, value in enumerate(app.values) if value != "WhatsApp")
    said = SAID.model_copy(update={"trace": ("09:05 WhatsApp: Tom: the boiler man comes on Thursday at 8.30",)})
    assert arguments("send_instant_message", {"company": "WhatsApp"}, NOW, (other,), said)["app_name"] == "WhatsApp"


def test_an_optional_app_needs_words_that_name_it() -> None:
    platform = choice_outputs()["control_smart_device.platform"]
    assert "platform" not in arguments("control_smart_device", {}, NOW, (platform.first + 2,))


def test_words_of_a_value_speak_for_it() -> None:
    bill = choice_outputs()["pay_bill.bill_type"]
    said = SAID.model_copy(update={"trace": ("09:05 Tom: the gas is due on Thursday, boiler 8.30",)})
    other = bill.first + 1 + next(number for number, value in enumerate(bill.values) if value == "internet")
    assert arguments("pay_bill", {}, NOW, (other,), said, points=1.0)["bill_type"] == "gas"
    assert arguments("pay_bill", {}, NOW, (other,), said, points=9.0)["bill_type"] == "internet"


def test_a_masked_number_stays_as_it_stands() -> None:
    said = SAID.model_copy(update={"trace": ("09:05 call from 171****8865, boiler, Thursday at 8.30",)})
    found = arguments("block_phone_number", {"number": "171****8865"}, NOW, (), said)
    assert found["phone_number"] == "171****8865"


def test_a_required_choice_is_made_even_where_none_is_likelier() -> None:
    action = choice_outputs()["control_smart_device.action"]
    found = arguments("control_smart_device", {"thing": "boiler"}, NOW, (action.first,))
    assert found["action"] in action.values


def test_the_choices_are_those_of_the_pool() -> None:
    for name, outputs in choice_outputs().items():
        function, parameter = name.split(".")
        spec = POOL.get(function).parameters[parameter]
        allowed = (True, False) if spec.type == "bool" else spec.choices
        assert set(outputs.values) <= set(allowed), name


def test_the_shipped_network_has_an_output_for_every_role_and_choice() -> None:
    pieces = context_pieces("send_sms", SAID, VOCABULARY)
    found = shipped_network().read(
        np.array([piece.number for piece in pieces]), np.array([int(piece.kind) for piece in pieces])
    )
    assert found["choices"].shape == (choice_count(),)
    assert found["starts"].shape == found["ends"].shape == (len(pieces), len(roles()))


@pytest.mark.parametrize("long", ["profile", "phone", "world", "trace"])
def test_a_long_context_fits_and_keeps_the_last_step(long: str) -> None:
    words = "the quick brown fox jumps over lazy dogs " * 200
    said = SAID.model_copy(update={long: (words, SAID.trace[-1]) if long == "trace" else words})
    pieces = context_pieces("send_sms", said, VOCABULARY)
    text = context_text(said)
    shown = [text[piece.start : piece.end] for piece in pieces if piece.start >= 0]
    assert len(pieces) <= MOST
    assert "boiler" in shown


def test_an_empty_context_is_read() -> None:
    said = RenderedContext(profile="", phone="", world="", trace=())
    assert isinstance(ContextReader.load().arguments(POOL.get("send_sms"), said, None), dict)
