"""A plan is carried out as consented or not at all, and whatever happens is told and can be found out later."""

import asyncio
from datetime import timedelta

import pytest

from executors import runner
from executors.executor import RefusedError
from executors.plan import OutcomeKind, Plan
from executors.runner import StepEvent, StepStage, VerifyTiming
from function_pool.call import FunctionCall
from heed.errors import DeviceError, NoDeviceError, UsageError
from tests.executors.acting import QUICK, Acting, WatchedPhone, difference
from tests.phones import reconnect
from virtual_phone.shell.call import Program, ProgramCall

DARK = FunctionCall(name="set_display", parameters={"setting": "dark_mode", "value": "on"})
QUIET = FunctionCall(name="set_do_not_disturb", parameters={"mode": "priority"})
ROTATE = FunctionCall(name="set_display", parameters={"setting": "auto_rotate", "value": "off"})
BOB = FunctionCall(name="save_contact", parameters={"name": "Bob Wu", "phone_number": "+447700900461"})
NO_RIGHT = "java.lang.SecurityException: Permission denial: requires android.permission.WRITE_SECURE_SETTINGS"


async def unplug_before(call: ProgramCall, program: Program) -> int:
    await call.phone.unplug()
    return 0


async def unplug_after(call: ProgramCall, program: Program) -> int:
    status = await program(call)
    await call.phone.unplug()
    return status


async def test_a_sequence_runs_in_order(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK, QUIET, ROTATE)
    outcomes = await acting.execute(plan)
    assert [outcome.kind for outcome in outcomes] == [OutcomeKind.VERIFIED] * 3
    assert [(event.stage, event.index) for event in acting.events] == [
        (stage, index) for index in range(3) for stage in (StepStage.STARTED, StepStage.PERFORMED, StepStage.ENDED)
    ]
    assert runner.undoable(plan, outcomes) == (2, 1, 0)


async def test_the_journal_is_told_before_the_phone_is_touched_and_after(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    seen = []
    await runner.execute(
        acting.executors,
        acting.device,
        plan,
        lambda event: seen.append((event.stage, acting.phone.state.display.night)),
        timing=QUICK,
    )
    assert seen == [(StepStage.STARTED, "no"), (StepStage.PERFORMED, "yes"), (StepStage.ENDED, "yes")]


async def test_only_the_planned_commands_change_the_phone(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    acting.phone.ran.clear()
    await acting.execute(plan)
    changing = [" ".join(words) for words in acting.phone.ran if words[-1] == "yes"]
    assert changing == list(plan.steps[0].commands)


async def test_a_failed_step_ends_the_sequence_and_leaves_the_earlier_ones_undoable(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK, QUIET, ROTATE)
    acting.phone.refuse("cmd notification set_dnd", "Error: no")
    outcomes = await acting.execute(plan)
    assert [outcome.kind for outcome in outcomes] == [
        OutcomeKind.VERIFIED,
        OutcomeKind.REFUSED,
        OutcomeKind.REFUSED,
    ]
    assert "Not begun, because set_do_not_disturb" in str(outcomes[2].message)
    assert runner.undoable(plan, outcomes) == (0,)
    assert acting.phone.state.settings.get("system", "accelerometer_rotation") == "1"


async def test_a_call_without_an_executor_is_refused(acting: Acting) -> None:
    acting.executors = {}
    with pytest.raises(RefusedError, match="No executor for set_timer is installed"):
        await acting.prepare("set_timer", duration_seconds=60)


async def test_a_call_that_does_not_fit_is_a_fault_before_the_phone_is_asked(acting: Acting) -> None:
    with pytest.raises(UsageError, match="mode must be one of"):
        await acting.prepare("set_do_not_disturb", mode="quiet")


async def test_the_hash_binds_phone_call_commands_and_effects_but_no_old_values(acting: Acting) -> None:
    plan = await acting.prepare_all(BOB)
    acting.phone.state.advance(60)
    acting.phone.state.contacts.add("Zoe", "123")
    later = await acting.prepare_all(BOB)
    assert later.hash == plan.hash == Plan.model_validate_json(plan.model_dump_json()).hash
    assert later.steps[0].before != plan.steps[0].before
    assert later.model_copy(update={"serial": "other"}).hash != plan.hash
    assert (await acting.prepare_all(DARK)).hash != plan.hash
    acting.phone.state.contacts.add("Bob Wu", "456")
    assert (await acting.prepare_all(BOB)).hash != plan.hash


async def test_a_phone_that_changed_since_the_question_is_not_touched(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK, BOB)
    acting.phone.state.contacts.add("Bob Wu", "456")
    before = acting.state()
    outcomes = await acting.execute(plan)
    assert [outcome.kind for outcome in outcomes] == [OutcomeKind.REFUSED] * 2
    assert "changed since you were asked" in str(outcomes[1].message)
    assert difference(before, acting.state()) == {}


async def test_what_the_person_did_meanwhile_is_not_done_again(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    acting.phone.state.display.set_night("yes")
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.ALREADY


async def test_undo_restores_the_value_of_the_moment_of_acting(acting: Acting) -> None:
    plan = await acting.prepare("set_display", setting="brightness", value="80")
    acting.phone.state.settings.put("system", "screen_brightness", "77")
    await acting.execute(plan)
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert acting.phone.state.settings.get("system", "screen_brightness") == "77"


async def test_a_late_effect_is_waited_for(acting: Acting) -> None:
    async def late(call: ProgramCall, program: Program) -> int:
        asyncio.get_running_loop().call_later(0.2, acting.phone.state.display.set_night, "yes")
        return 0

    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", late)
    (outcome,) = await acting.execute(plan, VerifyTiming(deadline=10.0, interval=0.02, settle=0.0))
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_an_effect_that_never_comes_is_a_failure(acting: Acting) -> None:
    async def ignore(call: ProgramCall, program: Program) -> int:
        return 0

    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", ignore)
    (outcome,) = await acting.execute(plan, VerifyTiming(deadline=0.1, interval=0.02, settle=0.0))
    assert outcome.kind is OutcomeKind.FAILED
    assert str(outcome.message) == "dark_mode is no, not yes. Nothing is changed."


async def test_a_value_that_the_phone_puts_back_is_noticed(acting: Acting) -> None:
    async def put_back(call: ProgramCall, program: Program) -> int:
        status = await program(call)
        asyncio.get_running_loop().call_later(0.3, acting.phone.state.display.set_night, "no")
        return status

    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", put_back)
    (outcome,) = await acting.execute(plan, VerifyTiming(deadline=0.5, interval=0.02, settle=1.0))
    assert outcome.kind is OutcomeKind.FAILED
    assert acting.phone.state.display.night == "no"


async def test_an_app_that_starts_slowly_is_waited_for(acting: Acting) -> None:
    async def slow(call: ProgramCall, program: Program) -> int:
        await asyncio.sleep(1.5)
        return await program(call)

    acting.device.timeout = 1.0
    acting.phone.on("am start", slow)
    assert (await acting.do("launch_app", app_name="Spotify")).kind is OutcomeKind.HANDED_OVER


@pytest.mark.parametrize(
    ("maker", "remedy"),
    [
        ("Xiaomi", "USB debugging (Security settings)"),
        ("OPPO", "Disable permission monitoring"),
        ("Google", "do it on the phone"),
    ],
)
async def test_a_missing_right_is_refused_with_the_switch_of_the_phones_maker(
    acting: Acting, maker: str, remedy: str
) -> None:
    acting.phone.state.identity.manufacturer = maker
    before = acting.state()
    plan = await acting.prepare_all(ROTATE)
    acting.phone.refuse("settings put", NO_RIGHT)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.REFUSED
    assert remedy in str(outcome.message)
    assert difference(before, acting.state()) == {}


async def test_a_step_that_fails_half_way_is_rolled_back(acting: Acting) -> None:
    acting.phone.state.settings.put("system", "screen_brightness_mode", "1")
    before = acting.state()
    plan = await acting.prepare("set_display", setting="brightness", value="80")
    acting.phone.refuse("settings put system screen_brightness 204", NO_RIGHT)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.FAILED
    assert "Nothing is changed." in str(outcome.message)
    assert difference(before, acting.state()) == {}


async def test_a_half_made_contact_is_taken_away_again(acting: Acting) -> None:
    async def fail_second(call: ProgramCall, program: Program) -> int:
        if "raw_contact_id" in " ".join(call.args):
            await call.err("Error while accessing provider:com.android.contacts\n")
            return 0
        return await program(call)

    before = acting.state()
    plan = await acting.prepare_all(BOB)
    acting.phone.on("content insert", fail_second)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.FAILED
    assert difference(before, acting.state()) == {}


async def test_a_phone_unplugged_after_the_command_is_asked_when_it_comes_back(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", unplug_after)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.UNKNOWN
    assert [event.stage for event in acting.events] == [StepStage.STARTED, StepStage.ENDED]
    await reconnect(acting.device.server, acting.device.serial)
    found = await runner.check(acting.executors, acting.device, acting.step, None)
    assert found.kind is OutcomeKind.VERIFIED
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED


async def test_a_phone_unplugged_before_the_command_shows_that_nothing_happened(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", unplug_before)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.UNKNOWN
    await reconnect(acting.device.server, acting.device.serial)
    acting.phone.ran.clear()
    found = await runner.check(acting.executors, acting.device, acting.step, None)
    assert found.kind is OutcomeKind.FAILED
    assert ("cmd", "uimode", "night", "yes") not in acting.phone.ran


async def test_a_contact_interrupted_half_way_is_found_and_can_be_undone(acting: Acting) -> None:
    before = acting.state()
    plan = await acting.prepare_all(BOB)
    acting.phone.on("content insert --uri content://com.android.contacts/data", unplug_after)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.UNKNOWN
    await reconnect(acting.device.server, acting.device.serial)
    found = await runner.check(acting.executors, acting.device, acting.step, None)
    assert found.kind is OutcomeKind.UNKNOWN
    assert "neither as before nor as asked" in str(found.message)
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_a_phone_that_is_gone_cannot_be_asked_yet(acting: Acting) -> None:
    await acting.do("set_do_not_disturb", mode="priority")
    await acting.device.server.disconnect(acting.device.serial)
    with pytest.raises((DeviceError, NoDeviceError)):
        await runner.check(acting.executors, acting.device, acting.step, {})
    assert (await acting.undo()).kind is OutcomeKind.UNKNOWN


async def test_a_frozen_phone_leaves_the_outcome_unknown(acting: Acting) -> None:
    async def freeze(call: ProgramCall, program: Program) -> int:
        acting.phone.faults.freeze()
        return await program(call)

    plan = await acting.prepare_all(DARK)
    acting.device.timeout = 2.0
    acting.phone.on("cmd uimode night yes", freeze)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.UNKNOWN
    acting.phone.faults.thaw()


async def test_an_interrupted_run_leaves_its_start_on_record(acting: Acting) -> None:
    begun = asyncio.Event()

    async def hang(call: ProgramCall, program: Program) -> int:
        begun.set()
        await asyncio.sleep(60)
        return 0

    plan = await acting.prepare_all(DARK)
    acting.phone.on("cmd uimode night yes", hang)
    task = asyncio.ensure_future(acting.execute(plan))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.stage for event in acting.events] == [StepStage.STARTED]


@pytest.mark.parametrize("call", [DARK, BOB], ids=lambda call: call.name)
async def test_another_process_can_undo_from_what_was_stored(acting: Acting, call: FunctionCall) -> None:
    before = acting.state()
    await acting.execute(await acting.prepare_all(call))
    stored = [event.model_dump_json() for event in acting.events]
    acting.events = [StepEvent.model_validate_json(text) for text in stored]
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_a_plan_for_another_phone_is_refused(acting: Acting) -> None:
    plan = await acting.prepare_all(DARK)
    with pytest.raises(RefusedError, match="You allowed this for the phone other"):
        await acting.execute(plan.model_copy(update={"serial": "other"}))
    assert acting.events == []


async def test_a_file_that_left_the_bin_for_good_is_not_claimed_to_be_restored(acting: Acting) -> None:
    media, now = acting.phone.state.media, acting.phone.state.clock.wall()
    item = media.add("Pictures/Screenshots", "old.png", now - timedelta(days=90), 10)
    await acting.do("clean_up_media_files", category="screenshots", action="trash")
    media.delete(item)
    assert (await acting.undo()).kind is OutcomeKind.FAILED


async def test_an_app_that_does_not_come_to_the_front_is_a_failure(acting: Acting, phone: WatchedPhone) -> None:
    async def swallow(call: ProgramCall, program: Program) -> int:
        await call.out("Starting: Intent { act=android.intent.action.SENDTO }\nStatus: ok\n")
        return 0

    plan = await acting.prepare("send_sms", recipient="Alice Chen", content="Hi")
    phone.on("am start", swallow)
    (outcome,) = await acting.execute(plan, VerifyTiming(deadline=0.1, interval=0.02))
    assert outcome.kind is OutcomeKind.FAILED
    assert "did not come to the front" in str(outcome.message)


async def test_am_start_that_fails_with_exit_status_0_is_refused(acting: Acting, phone: WatchedPhone) -> None:
    async def unresolved(call: ProgramCall, program: Program) -> int:
        await call.out("Starting: Intent { … }\nError: Activity not started, unable to resolve Intent { … }\n")
        return 0

    plan = await acting.prepare("send_sms", recipient="Alice Chen", content="Hi")
    phone.on("am start", unresolved)
    (outcome,) = await acting.execute(plan)
    assert outcome.kind is OutcomeKind.REFUSED
    assert "No app on the phone opens this." in str(outcome.message)
