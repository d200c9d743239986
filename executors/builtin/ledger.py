"""Expenses and income, in a ledger on this machine."""

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from executors.executor import Executor, Receipt
from executors.local_list import LocalList
from executors.observation import observe
from executors.plan import Effect, Outcome, Preparation, Step
from function_pool.call import FunctionCall


class RecordExpense(Executor):
    """Appends a line to the ledger; undo removes exactly that line."""

    function = "record_expense"

    @property
    def _ledger(self) -> LocalList:
        return LocalList(self.config.ledger)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        given = call.parameters
        (now,) = await observe(phone, CLOCK)
        detail: dict[str, JsonValue] = {name: given[name] for name in ("amount", "category")}
        detail["date"] = given.get("date", now.date().isoformat())
        effects = [
            Effect(kind="income_recorded" if given.get("type") == "income" else "expense_recorded", detail=detail)
        ]
        if "note" in given:
            effects.append(Effect(kind="event_note", detail={"text": given["note"]}))
        return Preparation(
            effects=tuple(effects),
            undo=(Effect(kind="ledger_removed"),),
            before={"entry": LocalList.new_id(), "date": detail["date"]},
        )

    async def perform(self, phone: Device, step: Step) -> Receipt:
        given = step.call.parameters
        entry = {name: given.get(name) for name in ("amount", "category", "note")}
        entry |= {"type": given.get("type", "expense"), "date": step.before["date"]}
        self._ledger.add(str(step.before["entry"]), entry)
        return {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return self._ledger.check_entry(step, present=True)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        self._ledger.remove(str(step.before["entry"]))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return self._ledger.check_entry(step, present=False)
