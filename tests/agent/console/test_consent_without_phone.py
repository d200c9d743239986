"""The owner said yes, and the phone goes away before anything was begun."""

from agent.loop.progress import ProgressEvent, StepFinished
from executors.plan import OutcomeKind
from tests.agent.console.house import House


async def test_an_owner_who_said_yes_is_told_that_nothing_was_begun(house: House) -> None:
    told: list[ProgressEvent] = []
    agent = house.daemon._phones[house.serial].agent
    agent._runner._environment = agent._environment._replace(listen=told.append)
    house.phone.state.battery.set(level=15, charger="none")
    journal = house.runtime.stores.journal
    async with house.signed_in() as client, agent._runner._acting:
        await house.answer(client, "once")
        await house.until(lambda: any(entry.plan and entry.plan.answer for entry in journal.timeline(1)))
        house.daemon._follow(frozenset())
        await house.until(lambda: any(entry.actions for entry in journal.timeline(10)))
    (action,) = next(entry.actions for entry in journal.timeline(10) if entry.actions)
    assert action.outcome is not None
    assert action.outcome.kind is OutcomeKind.REFUSED
    assert "not begun" in str(action.outcome.message)
    assert [event.outcome.kind for event in told if isinstance(event, StepFinished)] == [OutcomeKind.REFUSED]
    assert not house.phone.state.power.saver
