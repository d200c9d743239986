"""Carries out plans on one phone, undoes actions, and checks interrupted ones."""

import asyncio
import logging

from agent.journal import ActionRecord, ActionState, AfterRecord, JournalError
from agent.loop.action_ledger import ActionLedger, finished
from agent.loop.environment import Environment
from agent.loop.phone_functions import PhoneFunctions
from agent.loop.progress import ActionUndone
from executors import runner
from executors.executor import AskOwner, RefusedError
from executors.plan import Outcome, OutcomeKind, Plan
from heed.messages import msg

log = logging.getLogger(__name__)


class ActionRunner:
    """Acts on one phone, one action at a time."""

    def __init__(self, environment: Environment, functions: PhoneFunctions) -> None:
        self._environment = environment
        self._device, self._executors = functions.device, functions.executors
        # DeferredTriggers for one action, not while the owner is asked: an undo may run meanwhile.
        self._acting = asyncio.Lock()

    async def carry_out(self, plan_id: int, plan: Plan, ask: AskOwner | None = None) -> tuple[Outcome, ...]:
        """Run a plan that was allowed just now; when another action outlasts the consent, nothing is begun.

        ``ask`` asks the owner about a part that the consent does not cover; other actions wait for the answer.
        """
        clock, config = self._environment.clock, self._environment.config.consent
        allowed_at = clock.monotonic()
        ledger = ActionLedger(self._environment, plan, plan_id)
        try:
            async with self._acting:
                if clock.monotonic() - allowed_at > config.valid_for:
                    return ledger.refuse(msg("Your answer has expired. Ask for it again."))
                return await runner.execute(self._executors, self._device, plan, ledger.record, ask=ask)
        except asyncio.CancelledError:
            # The owner has said yes and must know that nothing came of it.
            ledger.refuse(msg("This was not begun: the phone went away, or heed was ended. Ask for it again."))
            raise

    async def undo(self, action_id: int) -> Outcome:
        """Undo one action and verify it; ``RefusedError`` when there is nothing to undo."""
        journal = self._environment.stores.journal
        async with self._acting:
            action = journal.action(action_id)
            _check_undoable(action, self._environment)
            if action.state is ActionState.UNDOING:
                return await self._resume_undo(action)
            journal.start_undo(action_id)
            outcome = await runner.undo(self._executors, self._device, action.step, action.receipt)
            return self._undone(action, outcome)

    async def _resume_undo(self, action: ActionRecord) -> Outcome:
        """Finish an undo that was interrupted: it was asked for, so it is kept until the phone shows it."""
        outcome = await runner.resume_undo(self._executors, self._device, action.step, action.receipt)
        return self._undone(action, outcome)

    def _undone(self, action: ActionRecord, outcome: Outcome) -> Outcome:
        """Store and tell how an undo ended; an unknown end stays in doubt."""
        environment = self._environment
        state = ActionState.UNDONE if outcome.ok else ActionState.UNDOING
        at = environment.clock.wall()
        record = AfterRecord(action=action.id, state=state, outcome=outcome, of_undo=True, at=at)
        environment.stores.after.write(record)
        environment.listen(ActionUndone(at=at, action_id=action.id, step=action.step, outcome=outcome))
        return outcome

    async def recover(self) -> list[ActionRecord]:
        """Ask the phone about every action in doubt, and finish interrupted undos; no action is repeated.

        Returns those actions. What cannot be found out now stays in doubt and keeps nothing else from running. Raises
        ``DeviceError`` while the phone does not answer, ``JournalError`` while the journal cannot be written.
        """
        stores, phone_id = self._environment.stores, self._environment.phone.id
        async with self._acting:
            stores.after.flush()
            records = stores.journal.in_doubt(phone_id)
            for record in records:
                await self._settle(record)
            stores.agenda.release_taken(phone_id)
            return records

    async def _settle(self, record: ActionRecord) -> None:
        try:
            if record.state is ActionState.UNDOING:
                await self._resume_undo(record)
                return
            outcome = await runner.check(self._executors, self._device, record.step, record.receipt)
            self._environment.stores.after.write(
                finished(self._environment, record.id, record.step, outcome, record.elapsed, ActionState.INTERRUPTED)
            )
        except JournalError:
            raise
        except Exception:  # a fault of one executor, perhaps a plug-in, must not end the monitoring
            # Raises while the phone itself does not answer.
            await self._device.identify()
            log.exception("action %d stays in doubt", record.id)


def _check_undoable(action: ActionRecord, environment: Environment) -> None:
    if action.phone_id != environment.phone.id:
        done_on = environment.stores.phones.name(action.phone_id)
        raise RefusedError(
            msg(
                "Action {id} was done on {phone}, not on {other_phone}.",
                id=action.id,
                phone=done_on,
                other_phone=environment.phone_name,
            ),
            msg("Connect that phone."),
        )
    if action.state is ActionState.UNDONE:
        raise RefusedError(msg("Action {id} was undone already.", id=action.id))
    if not action.step.undo:
        raise RefusedError(msg("Action {id} ({name}) cannot be undone.", id=action.id, name=action.step.call.name))
    if action.state is ActionState.UNDOING:
        return
    if not action.can_be_undone or (action.outcome is not None and action.outcome.kind is not OutcomeKind.VERIFIED):
        raise RefusedError(
            msg("Action {id} changed nothing that could be taken back.", id=action.id), msg("See `heed journal`.")
        )
