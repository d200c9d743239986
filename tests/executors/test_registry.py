"""Executors come from the entry-point group; a broken plug-in is named."""

from importlib.metadata import EntryPoint

import pytest

from executors.registry import GROUP, load_executors
from function_pool.spec import default_pool
from heed.errors import UsageError

BUILTIN = EntryPoint(name="builtin", value="executors.builtin:EXECUTORS", group=GROUP)


def plug_in(value: str) -> EntryPoint:
    return EntryPoint(name="plug-in", value=value, group=GROUP)


def test_the_built_ins_are_found_through_the_plug_in_group() -> None:
    executors = load_executors()
    assert {"set_power_saving_mode", "send_sms", "save_contact", "clean_up_media_files"} <= set(executors)
    assert all(name in default_pool() for name in executors)


def test_a_plug_ins_executors_stand_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    class FeedCat(type(load_executors()["set_display"])):  # type: ignore[misc]
        function = "feed_cat"

    monkeypatch.setattr("executors.builtin.display.PLUG_IN", [FeedCat], raising=False)
    executors = load_executors(entries=[BUILTIN, plug_in("executors.builtin.display:PLUG_IN")])
    assert isinstance(executors["feed_cat"], FeedCat)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("no_such_module:EXECUTORS", "no_such_module:EXECUTORS cannot be loaded"),
        ("executors.builtin:NOTHING", "cannot be loaded"),
        ("executors.builtin:SetDisplay", "cannot be loaded"),
        ("executors.runner:__all__", "cannot be loaded"),
        ("executors.screen:_NONE", "which is not an executor"),
        ("executors.builtin:EXECUTORS", "has already"),
    ],
)
def test_a_plug_in_at_fault_is_named(value: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_executors(entries=[BUILTIN, plug_in(value)])
