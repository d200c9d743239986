"""Home Assistant, the weather and the lists of this machine: real HTTP, real files, and services that fail."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from android_bridge.device import Device
from executors.config import ExecutorsConfig
from executors.executor import HostError, RefusedError
from executors.plan import OutcomeKind
from executors.wording import describe_outcome
from function_pool.risk import Risk
from heed.language import Language
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.servers import TOKEN, LocalServices
from tests.executors.test_golden_matrix import configured


@pytest_asyncio.fixture
async def services() -> AsyncIterator[LocalServices]:
    one = LocalServices()
    async with one.serving():
        yield one


@pytest.fixture
def acting(phone: WatchedPhone, device: Device, services: LocalServices, tmp_path: Path) -> Acting:
    return Acting(phone, device, configured(services, tmp_path))


async def test_nothing_is_asked_of_anybody_until_an_address_is_set(
    phone: WatchedPhone, device: Device, services: LocalServices, tmp_path: Path
) -> None:
    lists = {"ledger": tmp_path / "ledger.jsonl", "reminders": tmp_path / "reminders.jsonl"}
    acting = Acting(phone, device, ExecutorsConfig(**lists))
    with pytest.raises(RefusedError, match=r"not set up.*executors\.home_assistant\.url"):
        await acting.prepare("control_smart_device", device_name="Desk lamp", action="turn_on")
    (step,) = (await acting.prepare("query_weather")).steps
    assert step.hands_over and not step.requests
    assert services.asked == []


async def test_the_plan_shows_what_is_asked_and_never_the_token(acting: Acting) -> None:
    (step,) = (await acting.prepare("control_smart_device", device_name="desk lamp", action="turn_on")).steps
    assert step.requests[0].endswith('/api/services/light/turn_on {"entity_id": "light.desk"}')
    assert TOKEN not in step.model_dump_json()


async def test_a_lock_is_a_matter_of_security_and_is_not_opened_by_an_undo(acting: Acting) -> None:
    (step,) = (await acting.prepare("control_smart_device", device_name="Front door", action="open")).steps
    assert step.undo == ()
    assert step.risk is Risk.R5


async def test_a_script_may_do_anything(acting: Acting) -> None:
    (step,) = (await acting.prepare("activate_home_scene", scene_name="Leave home")).steps
    assert step.risk is Risk.R5
    assert [reason.rule for reason in step.reasons] == ["does_anything"]


async def test_what_is_so_already_is_not_done_again(acting: Acting, services: LocalServices) -> None:
    outcome = await acting.do("control_smart_device", device_name="Bedroom lamp", action="turn_on")
    assert outcome.kind is OutcomeKind.ALREADY
    assert str(outcome.message) == "Bedroom lamp is on already."
    assert not [asked for asked in services.asked if asked.startswith("POST")]


async def test_a_name_that_means_nothing_names_what_is_near(acting: Acting) -> None:
    with pytest.raises(RefusedError, match=r"nothing called 'Hall lamp'.*Desk lamp"):
        await acting.prepare("control_smart_device", device_name="Hall lamp", action="turn_on")


async def test_a_device_that_cannot_do_it_is_refused(acting: Acting) -> None:
    with pytest.raises(RefusedError, match="cannot be told to open"):
        await acting.prepare("control_smart_device", device_name="Desk lamp", action="open")


@pytest.mark.parametrize(
    ("broken", "told"), [("error", "HTTP status 500"), ("text", "gave no JSON"), ("redirect", "HTTP status 302")]
)
async def test_a_service_that_answers_badly_is_named(
    acting: Acting, services: LocalServices, broken: str, told: str
) -> None:
    services.broken = broken
    with pytest.raises(HostError, match=told):
        await acting.prepare("query_smart_device_state", device_name="Desk lamp")


async def test_a_service_that_breaks_while_acting_leaves_the_outcome_unknown(
    acting: Acting, services: LocalServices
) -> None:
    plan = await acting.prepare("control_smart_device", device_name="Desk lamp", action="turn_on")
    executor = acting.executors["control_smart_device"]
    prepare = executor.prepare

    async def then_break(*arguments: object) -> object:
        preparation = await prepare(*arguments)  # type: ignore[arg-type]
        services.broken = "error"
        return preparation

    executor.prepare = then_break  # type: ignore[method-assign,assignment]
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.UNKNOWN
    assert "is not known" in str(outcome.message)


async def test_a_place_is_sent_coarsely(acting: Acting, services: LocalServices) -> None:
    outcome = await acting.do("query_weather")
    assert "light rain, 4 to 9.5 °C, rain 80 %" in str(outcome.message)
    (asked,) = [line for line in services.asked if "/forecast" in line]
    assert "latitude=31.2&longitude=121.5" in asked


async def test_the_ledger_keeps_other_lines_when_one_is_taken_back(acting: Acting) -> None:
    await acting.do("record_expense", amount="5", category="tea")
    await acting.do("record_expense", amount="31.60", category="food", note="lunch; with Bob")
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert '"category": "tea"' in acting.config.ledger.read_text("utf-8")
    assert "food" not in acting.config.ledger.read_text("utf-8")


async def test_a_ledger_that_is_none_of_ours_is_left_alone(acting: Acting) -> None:
    acting.config.ledger.write_text("date;amount\n", encoding="utf-8")
    outcome = await acting.do("record_expense", amount="5", category="tea")
    assert outcome.kind is OutcomeKind.UNKNOWN
    assert acting.config.ledger.read_text("utf-8") == "date;amount\n"


async def test_the_weather_is_told_in_the_owners_language(acting: Acting) -> None:
    outcome = await acting.do("query_weather")
    assert describe_outcome(outcome, Language.ZH).endswith("小雨、4 至 9.5 °C、降雨概率 80%、紫外线 3.5。")
