"""What "always" covers: the calls that were shown with exactly their values, unless the owner widened a named field."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.policy.grants import Scope, StepField, covers, may_grant, scope_of, widenable_fields
from agent.wording import scope_texts
from executors.plan import Effect, Plan
from function_pool.call import Basis, FunctionCall
from function_pool.risk import Risk
from function_pool.spec import FunctionSpec, Meaning, ParameterSpec, default_pool
from function_pool.widening import widenable, widening
from heed.language import Language
from heed.messages import translate
from heed.trust import Trust
from tests.agent.make import plan, saver_call, step

POOL = default_pool()
STRANGER = (Basis(fact="trigger.text", trust=Trust.THIRD_PARTY),)


def one_step(
    name: str, parameters: Mapping[str, JsonValue], *, risk: Risk = Risk.R1, undoable: bool = True, **more: Any
) -> Plan:
    """A plan of one call, whose effect and command show nothing of its arguments: these count by themselves."""
    call = FunctionCall(name=name, parameters=dict(parameters))
    return plan(step(call, risk, undoable=undoable).model_copy(update=more))


@pytest.mark.parametrize(
    ("name", "shown", "other"),
    [
        ("set_alarm", {"time": "07:30"}, {"time": "03:15"}),
        (
            "save_contact",
            {"name": "Zoe", "phone_number": "+447700900461"},
            {"name": "My Bank", "phone_number": "+447700900999"},
        ),
        ("save_contact", {"name": "Zoe", "phone_number": "1"}, {"name": "Zoe", "phone_number": "2"}),
        ("launch_app", {"app_name": "Spotify"}, {"app_name": "WhatsApp"}),
        (
            "set_volume_and_ringer",
            {"stream": "media", "level_percent": 10},
            {"stream": "media", "level_percent": 100},
        ),
        (
            "control_smart_device",
            {"device_name": "bedroom lamp", "action": "turn_on"},
            {"device_name": "heater", "action": "turn_on"},
        ),
        ("set_power_saving_mode", {"enabled": True}, {"enabled": False}),
        ("set_power_saving_mode", {"enabled": True}, {"enabled": True, "mode": "extreme"}),
        ("set_power_saving_mode", {"enabled": True, "mode": "extreme"}, {"enabled": True}),
        ("set_power_saving_mode", {"enabled": True}, {"enabled": 1}),
        ("set_alarm", {"time": "07:30", "label": "Work"}, {"time": "07:30", "label": "work"}),
    ],
)
def test_a_grant_covers_no_other_value(name: str, shown: dict[str, JsonValue], other: dict[str, JsonValue]) -> None:
    granted = scope_of(one_step(name, shown))
    assert covers(granted, one_step(name, shown))
    assert not covers(granted, one_step(name, other))


def values(parameter: ParameterSpec) -> st.SearchStrategy[JsonValue]:
    """Values that the spec allows; texts as they come."""
    match parameter.type:
        case "bool":
            return st.booleans()
        case "int":
            return st.integers(int(parameter.minimum or 0), int(parameter.maximum or 10_000))
        case "float":
            return st.floats(0, 1000)
        case "dict":
            return st.dictionaries(st.sampled_from(parameter.fields or ("a",)), st.text(min_size=1), min_size=1)
        case "list":
            items = st.sampled_from(parameter.choices) if parameter.choices else st.text(min_size=1)
            return st.lists(items, min_size=1, max_size=4)
    listed = st.sampled_from(parameter.choices) if parameter.choices else st.nothing()
    return listed if parameter.choices and not parameter.open else listed | st.text(min_size=1, max_size=20)


def arguments(spec: FunctionSpec) -> st.SearchStrategy[dict[str, JsonValue]]:
    every = {name: values(parameter) for name, parameter in spec.parameters.items()}
    required = {name: value for name, value in every.items() if spec.parameters[name].required}
    optional = {name: value for name, value in every.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


@pytest.mark.parametrize("name", [spec.name for spec in POOL])
@given(data=st.data())
def test_changing_any_one_argument_of_any_function_leaves_the_grant(name: str, data: st.DataObject) -> None:
    spec = POOL.get(name)
    shown = data.draw(arguments(spec))
    granted = scope_of(one_step(name, shown))
    assert covers(granted, one_step(name, shown))
    changed = data.draw(st.sampled_from(list(spec.parameters)))
    value = data.draw(values(spec.parameters[changed]).filter(lambda value: value != shown.get(changed)))
    assert not covers(granted, one_step(name, {**shown, changed: value}))
    if changed in shown:
        assert not covers(granted, one_step(name, {key: shown[key] for key in shown if key != changed}))


@pytest.mark.parametrize(("name", "field"), widenable())
@given(data=st.data())
def test_a_widened_field_may_have_any_value_and_no_other_may(name: str, field: str, data: st.DataObject) -> None:
    spec = POOL.get(name)
    shown = {**data.draw(arguments(spec)), field: data.draw(values(spec.parameters[field]))}
    granted = scope_of(one_step(name, shown), [StepField(step=0, parameter=field)])
    other = {**shown, field: data.draw(values(spec.parameters[field]))}
    assert covers(granted, one_step(name, other))
    assert not covers(granted, one_step(name, {key: other[key] for key in other if key != field}))
    changed = data.draw(st.sampled_from([key for key in spec.parameters if key != field]))
    value = data.draw(values(spec.parameters[changed]).filter(lambda value: value != shown.get(changed)))
    assert not covers(granted, one_step(name, {**other, changed: value}))


def test_no_recipient_number_address_amount_file_secret_app_or_device_can_be_widened() -> None:
    named = {"app_name", "device_name", "ssid", "platform", "platform_info", "map_app", "action", "stream", "name"}
    for name, field in widenable():
        spec = POOL.get(name)
        assert spec.parameters[field].meaning in (Meaning.TEXT, Meaning.CLOCK_TIME, Meaning.DATE, Meaning.DATE_TIME)
        assert field not in named
        assert spec.risk in (Risk.R0, Risk.R1) or name == "manage_app"  # pausing an app is R1
        assert name != "control_smart_device"
        known = widening(name, field)
        assert known is not None
        assert translate(known.text, Language.ZH) != translate(known.text, Language.EN)


def test_what_may_not_be_widened_is_left_out() -> None:
    shown = one_step("save_contact", {"name": "Zoe", "phone_number": "1"})
    fields = [StepField(step=0, parameter=name) for name in ("name", "phone_number", "nonsense")]
    assert scope_of(shown, [*fields, StepField(step=7, parameter="name")]) == scope_of(shown)
    assert widenable_fields(shown) == ()


def test_a_field_is_widened_in_its_own_step_only() -> None:
    first, second = (step(FunctionCall(name="set_alarm", parameters={"time": time})) for time in ("07:00", "08:00"))
    other = step(FunctionCall(name="set_alarm", parameters={"time": "03:15"}))
    granted = scope_of(plan(first, second), [StepField(step=0, parameter="time")])
    assert covers(granted, plan(other, second))
    assert not covers(granted, plan(first, other))


def test_a_grant_covers_the_same_steps_in_the_same_order_only() -> None:
    on, volume = step(), step(FunctionCall(name="set_volume_and_ringer", parameters={"stream": "media"}))
    granted = scope_of(plan(on, volume))
    assert covers(granted, plan(on, volume))
    for other in (plan(volume, on), plan(on), plan(volume), plan(on, volume, volume), plan(on, on)):
        assert not covers(granted, other)


def test_a_name_that_stands_for_another_app_or_alarm_by_now_is_not_covered() -> None:
    spotify = {"kind": "app_stopped", "detail": {"app": "Spotify"}}
    shown = one_step("manage_app", {"app_name": "Music"}, effects=(Effect(**spotify),))
    fake = one_step("manage_app", {"app_name": "Music"}, effects=(Effect(kind="app_stopped", detail={"app": "Bank"}),))
    assert not covers(scope_of(shown), fake)
    command = one_step("manage_app", {"app_name": "Music"}, effects=shown.steps[0].effects, commands=("rm other",))
    assert not covers(scope_of(shown), command)

    def next_alarm(at: str) -> Plan:
        effect = Effect(kind="alarm_skipped", detail={"at": at})
        return one_step("cancel_alarm", {"search_mode": "next"}, effects=(effect,))

    granted = scope_of(next_alarm("2026-02-09T07:00:00+08:00"))
    assert covers(granted, next_alarm("2026-02-10T07:00:00+08:00"))
    assert not covers(granted, next_alarm("2026-02-10T03:15:00+08:00"))


def test_widening_the_time_does_not_widen_which_app_is_used() -> None:
    def alarm(time: str, app: str) -> Plan:
        effect = Effect(kind="alarm_set", detail={"at": f"2026-02-09T{time}:00+08:00"})
        return one_step("set_alarm", {"time": time}, effects=(effect,), commands=(f"am start -p {app} {time}",))

    granted = scope_of(alarm("07:30", "clock"), [StepField(step=0, parameter="time")])
    assert covers(granted, alarm("03:15", "clock"))
    assert not covers(granted, alarm("03:15", "evil"))


@pytest.mark.parametrize("widened", [(), (StepField(step=0, parameter="query"),)])
def test_a_name_that_leads_to_another_package_or_server_is_not_covered(widened: tuple[StepField, ...]) -> None:
    def music(package: str, server: str = "https://a.example") -> Plan:
        work: dict[str, Any] = {
            "commands": (f"am start -W -a x -p {package} --es query Jazz",),
            "requests": (f"GET {server} Jazz",),
        }
        return one_step("play_music", {"query": "Jazz", "app_name": "Spotify"}, risk=Risk.R0, **work)

    granted = scope_of(music("com.spotify.music"), widened)
    assert covers(granted, music("com.spotify.music"))
    assert not covers(granted, music("com.evil.music"))
    assert not covers(granted, music("com.spotify.music", "https://b.example"))


@pytest.mark.parametrize("risk", list(Risk))
def test_what_cannot_be_undone_is_never_always_allowed_unless_it_only_looks(risk: Risk) -> None:
    assert may_grant(plan(step(risk=risk, undoable=False))) is (risk is Risk.R0)
    assert may_grant(plan(step(risk=risk))) is (risk in (Risk.R0, Risk.R1))
    assert not may_grant(plan(step(), step(risk=Risk.R1, undoable=False)))
    assert may_grant(plan(step(), step(already=True, undoable=False)))


@pytest.mark.parametrize(
    "influence", [{"choice": STRANGER}, {"basis": {"enabled": STRANGER}}, {"choice": STRANGER[:0], "basis": {}}]
)
def test_what_others_wrote_rules_out_always_in_the_choice_as_in_an_argument(influence: dict[str, Any]) -> None:
    influenced = bool(influence["basis"] if "basis" in influence else influence["choice"])
    made = plan(step(saver_call().model_copy(update=influence)))
    assert may_grant(made) is not influenced
    alarm = FunctionCall(name="set_alarm", parameters={"time": "07:30"}).model_copy(update={"choice": STRANGER})
    assert widenable_fields(plan(step(alarm))) == ()


def test_a_scope_survives_the_journal() -> None:
    shown = one_step("set_alarm", {"time": "07:30", "repeat_days": ["mon"], "vibrate": True})
    granted = scope_of(shown, [StepField(step=0, parameter="time")])
    assert Scope.model_validate_json(granted.model_dump_json()) == granted
    assert covers(Scope.model_validate_json(granted.model_dump_json()), shown)


def test_a_grant_is_listed_with_every_value_and_every_widened_field() -> None:
    shown = one_step("set_alarm", {"time": "07:30", "label": "Gym"})
    exact, wide = scope_of(shown), scope_of(shown, [StepField(step=0, parameter="time")])
    (line,) = scope_texts(exact, Language.EN)
    assert "time: 07:30; label: Gym" in line
    (line,) = scope_texts(wide, Language.EN)
    assert "time: any time; label: Gym" in line
    assert "07:30" not in line
    (line,) = scope_texts(wide, Language.ZH)
    assert "任何时间" in line


def test_every_step_of_the_pool_can_be_listed() -> None:
    for spec in POOL:
        shown = one_step(spec.name, {name: name for name in spec.parameters})
        for language in Language:
            (line,) = scope_texts(scope_of(shown), language)
            assert all(name in line for name in spec.parameters)
