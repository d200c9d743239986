"""``heed recipe check`` and ``heed scaffold recipe``, and what the journal keeps of a run that was cut off."""

from pathlib import Path

from agent.journal import ActionState, AfterRecord, Database, Journal, stores_in
from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.clock import ManualClock
from tests.agent.command import heed
from tests.agent.make import NOON, step
from tests.agent.test_journal import planned
from virtual_phone import VirtualPhone

APP = "com.sankuai.meituan"
RECIPE = """
- app: com.sankuai.meituan
  source: this test
  steps:
    - {do: find, view: {id: restaurant, first: true}}
    - {do: tap, view: {text: [Buy now]}, name: {en: it, zh: 它}, after: [{id: menu}]}
    - {do: finish, before: [{id: search}], reached: {en: Found., zh: 已找到。}}
"""


async def test_a_recipe_is_compared_with_the_screen_in_front(
    adb_server: AdbServer, device: Device, phone: VirtualPhone, tmp_path: Path
) -> None:
    file = tmp_path / "order_food_delivery.yaml"
    file.write_text(RECIPE, "utf-8")
    closed = await heed("recipe", "check", str(file), port=adb_server.port)
    assert closed.code == 0
    assert "Open it" in closed.out
    phone.state.apps.open(APP)
    opened = await heed("recipe", "check", str(file), port=adb_server.port)
    assert "Step 1 (find): it could be done now" in opened.out
    assert "Step 2 (tap): “Buy now” is not on the screen." in opened.out
    assert "Step 3 (finish): it could be done now" in opened.out
    assert phone.state.apps.foreground.screen == "restaurants"


async def test_a_recipe_with_a_fault_is_refused_with_the_reason(tmp_path: Path, adb_server: AdbServer) -> None:
    file = tmp_path / "order_food_delivery.yaml"
    file.write_text(RECIPE.replace("do: find", "do: guess"), "utf-8")
    ended = await heed("recipe", "check", str(file), port=adb_server.port)
    assert ended.code == 2
    assert "guess" in ended.err


async def test_a_scaffolded_recipe_is_valid_and_not_overwritten(tmp_path: Path, adb_server: AdbServer) -> None:
    arguments = ("scaffold", "recipe", "search_product", "com.example.shop", "--into", str(tmp_path))
    assert (await heed(*arguments)).code == 0
    checked = await heed("recipe", "check", str(tmp_path / "search_product.yaml"), port=adb_server.port)
    assert checked.code == 0
    assert "is valid (recipes: 1)" in checked.out
    assert (await heed(*arguments)).code == 2


def test_the_journal_keeps_how_far_a_started_action_got(tmp_path: Path) -> None:
    database = Database(tmp_path / "journal.sqlite3", ManualClock(NOON))
    journal = Journal(database)
    action = journal.start_action(planned(journal), 0, step(), NOON)
    for number in (1, 2):
        journal.progressed(action, {"screen": {"step": number}})
    (record,) = journal.all_in_doubt()
    assert (record.state, record.receipt) == (ActionState.STARTED, {"screen": {"step": 2}})
    journal.performed(action, {"screen": {"step": 3}})
    journal.progressed(action, {"screen": {"step": 1}})
    assert journal.action(action).receipt == {"screen": {"step": 3}}
    database.close()


def test_progress_that_the_journal_cannot_take_now_is_written_later(tmp_path: Path) -> None:
    with stores_in(tmp_path / "journal.sqlite3", ManualClock(NOON)) as stores:
        action = stores.journal.start_action(planned(stores.journal), 0, step(), NOON)
        stores.after.write(AfterRecord(action=action, state=ActionState.STARTED, receipt={"screen": {"step": 4}}))
        assert stores.journal.action(action).receipt == {"screen": {"step": 4}}
