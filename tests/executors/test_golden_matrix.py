"""All 63 functions on the virtual phone: plan, effect on its state, verification, undo; written down in the docs."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import SecretStr

from android_bridge.adb import AdbServer
from executors.config import ExecutorsConfig, HomeAssistantConfig, WeatherConfig
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from function_pool.spec import default_pool
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.cases import CASES, furnish
from tests.executors.golden import Row, assert_seen, builds_of, measure, page
from tests.executors.servers import TOKEN, LocalServices
from tests.executors.usage import fault, of_the_helper
from tests.phones import START, connected_device
from virtual_phone import PhoneState

DOCS = Path(__file__).parents[2] / "docs" / "functions.md"
REMAINS: Mapping[str, tuple[str, ...]] = {
    "play_music": ("audio.session.",),  # paused, as it says; what played before does not come back
    "capture_image": ("media.", "files."),  # in the bin, as it says
    "activate_home_scene": ("home.scene.",),  # when the scene last ran
}
"""What an undo leaves, and says that it leaves."""


def configured(services: LocalServices, folder: Path) -> ExecutorsConfig:
    """Every service on, at the local stand-ins."""
    return ExecutorsConfig(
        home_assistant=HomeAssistantConfig(url=services.url, token=SecretStr(TOKEN)),
        weather=WeatherConfig(
            forecast_url=f"{services.url}/forecast",
            air_quality_url=f"{services.url}/air",
            geocoding_url=f"{services.url}/places",
        ),
        ledger=folder / "ledger.jsonl",
        reminders=folder / "reminders.jsonl",
    )


async def rows_of(adb_server: AdbServer, folder: Path, function: str) -> list[Row]:
    """The function's rows, each on a phone of its own."""
    rows = []
    for number, arguments in enumerate(CASES[function]):
        state = PhoneState.standard(now=START)
        state.clock.freeze()
        furnish(state)
        phone = WatchedPhone(state)
        services = LocalServices()
        async with connected_device(phone, adb_server) as device, services.serving():
            acting = Acting(phone, device, configured(services, folder / f"{function}-{number}"))
            rows.append(await measure(acting, services, function, arguments))
    return rows


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def matrix(adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    folder = tmp_path_factory.mktemp("lists")
    return {function: await rows_of(adb_server, folder, function) for function in CASES}


def test_no_function_is_missing() -> None:
    assert list(CASES) == [spec.name for spec in default_pool()]
    assert all(len(cases) >= 2 for cases in CASES.values())


@pytest.mark.parametrize("function", CASES)
def test_the_effect_is_seen_in_the_phones_own_state(matrix: dict[str, list[Row]], function: str) -> None:
    for row in matrix[function]:
        assert row.outcome.kind in (OutcomeKind.VERIFIED, OutcomeKind.HANDED_OVER), row.outcome
        assert row.outcome.kind is OutcomeKind.HANDED_OVER or not row.step.hands_over
        assert_seen(row)


@pytest.mark.parametrize("function", CASES)
def test_a_declared_undo_leaves_no_difference(matrix: dict[str, list[Row]], function: str) -> None:
    for row in matrix[function]:
        if row.undone is not None:
            assert row.undone.kind is OutcomeKind.VERIFIED, row.undone
            assert [path for path in row.left if not path.startswith(REMAINS.get(function, ()))] == []


def test_what_reaches_people_or_money_stops_at_the_apps_own_screen(matrix: dict[str, list[Row]]) -> None:
    rows = [row for rows in matrix.values() for row in rows]
    for row in rows:
        if row.step.risk in (Risk.R2, Risk.R3):
            assert row.outcome.kind is OutcomeKind.HANDED_OVER, row.step.call
        if row.step.risk is Risk.R4:
            assert row.step.undo or row.outcome.kind is OutcomeKind.HANDED_OVER, row.step.call
    assert {Risk.R2, Risk.R3, Risk.R4} <= {row.step.risk for row in rows}


@pytest.mark.parametrize("function", CASES)
def test_every_command_follows_its_documented_usage(matrix: dict[str, list[Row]], function: str) -> None:
    ran = {words for row in matrix[function] for words in row.ran if not of_the_helper(words)}
    assert {" ".join(words): fault(words) for words in ran if fault(words)} == {}
    planned = [command for row in matrix[function] for command in row.step.commands]
    assert all(fault(shlex.split(command)) == "" for command in planned if "$" not in command)


def test_the_page_in_the_docs_is_this_matrix(matrix: dict[str, list[Row]]) -> None:
    builds = builds_of(DOCS.read_text("utf-8"))
    text = page(default_pool(), [row for rows in matrix.values() for row in rows], builds)
    if os.environ.get("HEED_WRITE_DOCS"):
        DOCS.write_text(text, encoding="utf-8")
    same = DOCS.read_text("utf-8") == text  # a difference of whole pages takes pytest minutes to draw
    assert same, "write it anew with HEED_WRITE_DOCS=1"
