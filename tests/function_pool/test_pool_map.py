"""Tables between pools: calls of another pool in the names of heed's."""

from pathlib import Path

import pytest

from function_pool.call import FunctionCall
from function_pool.pool_map import benchmark_map, load_pool_map
from function_pool.pool_map_draft import draft
from function_pool.spec import default_pool, parse_pool
from function_pool.validation import validate
from heed.errors import UsageError
from tests.function_pool.official_style import official_style_pool

OURS = default_pool()
TABLE = """
source: a test
functions:
  叫外卖:
    function: order_food_delivery
    parameters: {菜名: keyword, 平台: platform_info, 选项.地址: delivery_address}
    values: {platform_info: {饿了么外卖: Ele.me}}
  打开省电: {function: set_power_saving_mode, always: {enabled: true}}
  每周闹钟:
    function: set_alarm
    parameters: {几点: time, 周几: repeat_days}
    values: {repeat_days: {周一: mon, 周二: tue}}
"""


def table(folder: Path, text: str = TABLE) -> Path:
    file = folder / "map.yaml"
    file.write_text(text, "utf-8")
    return file


def translated(folder: Path, name: str, **parameters: object) -> FunctionCall:
    call = FunctionCall.model_validate({"name": name, "parameters": parameters})
    return validate(OURS, load_pool_map(table(folder), OURS).translated(call, OURS))


def test_names_parameters_and_values_are_translated(tmp_path: Path) -> None:
    call = translated(
        tmp_path, "叫外卖", 菜名="面", 平台="饿了么外卖", 选项={"地址": "中山路1号", "餐具": "否"}, quantity=2
    )
    assert call.name == "order_food_delivery"
    assert call.parameters == {
        "keyword": "面", "platform_info": "Ele.me", "delivery_address": "中山路1号", "quantity": 2,
    }  # fmt: skip


def test_what_a_function_implies_is_added_and_lists_are_translated(tmp_path: Path) -> None:
    assert translated(tmp_path, "打开省电").parameters == {"enabled": True}
    assert translated(tmp_path, "每周闹钟", 几点="7:30", 周几=["周一", "周二"]).parameters == {
        "time": "07:30",
        "repeat_days": ["mon", "tue"],
    }


def test_a_function_without_a_counterpart_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no counterpart of '飞'"):
        translated(tmp_path, "飞")


def test_the_shipped_table_covers_the_published_names_of_the_benchmark() -> None:
    theirs = parse_pool(official_style_pool(), "official")
    assert benchmark_map().covers(theirs, OURS.functions) == ("book_transport",)
    assert benchmark_map().covers(theirs, ("send_sms",)) == ()
    assert all(one.function in OURS for one in benchmark_map().functions.values())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("source: x\nfunctions: {a: {function: fly}}", "fly"),
        ("source: x\nfunctions: {a: {function: send_sms, parameters: {b: sky}}}", "lacks: sky"),
        ("source: x\nfunctions: {a: {function: send_sms, always: {sky: 1}}}", "lacks: sky"),
        ("functions: {}", "source"),
        ("[", "Cannot read"),
    ],
)
def test_a_faulty_table_is_refused_with_its_fault(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=fault):
        load_pool_map(table(tmp_path, text), OURS)


def test_a_draft_holds_what_is_certain_and_suggests_the_rest_as_comments(tmp_path: Path) -> None:
    alarm = {**official_style_pool()["book_transport"], "name": "set_alarm_clock", "description": "set an alarm"}
    raw = {**official_style_pool(), "set_alarm_clock": alarm}
    text = draft(parse_pool(raw, "official"), OURS, benchmark_map(), "function_pool.json")
    assert load_pool_map(table(tmp_path, text), OURS).functions.keys() == {"book_transport"}
    (line,) = (line for line in text.splitlines() if "set_alarm_clock" in line)
    assert line.startswith('  # "set_alarm_clock": {"function": "set_alarm", "parameters": {"transport_type": "",')
    assert len(text.splitlines()) == 2 + len(raw)


def test_a_draft_without_a_certain_function_can_be_loaded(tmp_path: Path) -> None:
    pool = {name: spec for name, spec in official_style_pool().items() if name != "book_transport"}
    text = draft(parse_pool(pool, "official"), OURS, benchmark_map(), "pool")
    assert load_pool_map(table(tmp_path, text), OURS).functions == {}
