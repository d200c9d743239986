"""Carries out plans on one phone, undoes actions, and checks interrupted ones."""

import asyncio

from agent.journal import ActionRecord, ActionState
from agent.loop.action_ledger import ActionLedger
from agent.loop.environment import Environment
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.progress import ActionUndone
from executors import runner
from executors.executor import RefusedError
from executors.plan import Outcome, OutcomeKind, Plan
from heed.messages import msg


class ActionRunner:
    """Acts on one phone, one action at a time."""

    def __init__(self, environment: Environment, functions: PhoneFunctions) -> None:
        self._environment = environment
        self._device, self._executors = functions.device, functions.executors
        # DeferredTriggers for one action, not while the owner is asked: an undo may run meanwhile.
        self._acting = asyncio.Lock()

    async def carry_out(self, plan_id: int, plan: Plan) -> tuple[Outcome, ...]:
        """Run a plan that was allowed just now; when another action outlasts the consent, nothing is begun."""
        clock, config = self._environment.clock, self._environment.config.consent
        allowed_at = clock.monotonic()
        async with self._acting:
            ledger = ActionLedger(self._environment, plan, plan_id)
            if clock.monotonic() - allowed_at > config.valid_for:
                return tuple(ledger.expire(index, step) for index, step in enumerate(plan.steps))
            return await runner.execute(self._executors, self._device, plan, ledger.record)

    async def undo(self, action_id: int) -> Outcome:
        """Undo one action and verify it; ``RefusedError`` when there is nothing to undo."""
        journal = self._environment.stores.journal
        async with self._acting:
            action = journal.action(action_id)
            _check_undoable(action, self._device.serial)
            journal.start_undo(action_id)
            outcome = await runner.undo(self._executors, self._device, action.step, action.receipt)
            journal.finish_undo(action_id, outcome)
            at = self._environment.clock.wall()
            self._environment.listen(ActionUndone(at=at, action_id=action_id, step=action.step, outcome=outcome))
            return outcome

    async def recover(self) -> list[ActionRecord]:
        """Ask the phone about every action in doubt; nothing is repeated. Returns those actions."""
        stores, serial = self._environment.stores, self._device.serial
        async with self._acting:
            records = stores.journal.in_doubt(serial)
            for record in records:
                outcome = await runner.check(self._executors, self._device, record.step, record.receipt)
                stores.journal.finish(record.id, outcome, ActionState.INTERRUPTED)
            stores.agenda.release_taken(serial)
            return records


def _check_undoable(action: ActionRecord, serial: str) -> None:
    if action.serial != serial:
        raise RefusedError(
            msg(
                "Action {id} was done on {serial}, not on {other_serial}.",
                id=action.id,
                serial=action.serial,
                other_serial=serial,
            ),
            msg("Connect that phone."),
        )
    if action.state is ActionState.UNDONE:
        raise RefusedError(msg("Action {id} was undone already.", id=action.id))
    if not action.step.undo:
        raise RefusedError(msg("Action {id} ({name}) cannot be undone.", id=action.id, name=action.step.call.name))
    if not action.can_be_undone or (action.outcome is not None and action.outcome.kind is not OutcomeKind.VERIFIED):
        raise RefusedError(
            msg("Action {id} changed nothing that could be taken back.", id=action.id), msg("See `heed journal`.")
        )
