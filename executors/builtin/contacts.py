"""Contacts.

Rows are written through ``content`` (docs/android-notes.md, "Permissions of the shell"). A new contact is a raw contact
in the account that the phone has for new contacts; data of an existing contact is added to that contact.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.commands import Bound, content_delete, content_insert
from android_bridge.device import Device
from android_bridge.facts.content import Row
from android_bridge.phone_numbers import same_number
from executors.address_book import (
    DATA,
    NUMBERS,
    PEOPLE,
    RAW_CONTACTS,
    data_of,
    name_of,
    people_named,
    row_id,
    same_name,
)
from executors.capability import Requirement
from executors.executor import Executor, Receipt, RefusedError, RejectedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from function_pool.call import FunctionCall
from heed.messages import msg

_ITEM = "vnd.android.cursor.item/"
_NAME, _PHONE, _EMAIL = f"{_ITEM}name", f"{_ITEM}phone_v2", f"{_ITEM}email_v2"
_ORGANIZATION, _NOTE = f"{_ITEM}organization", f"{_ITEM}note"
_SINGLE = (_NAME, _ORGANIZATION, _NOTE)
"""A contact has one row of these types; an existing one is never overwritten."""
_MOBILE, _OTHER, _WORK = 2, 3, 1
_VARIABLE = "raw_contact"
_NO_ACCOUNT: Mapping[str, Bound] = {"starred": 0}
"""Columns of a new raw contact. Without those of an account the phone takes the one that it has for new contacts; the
empty account is refused where that is one in the cloud. ``content`` wants at least one column."""


class _Field(NamedTuple):
    """One data row to write; ``data1`` is the value that people see."""

    word: str
    mimetype: str
    data1: str | None
    more: Mapping[str, Bound]

    @property
    def columns(self) -> dict[str, Bound]:
        return {"mimetype": self.mimetype, "data1": self.data1, **self.more}


class SaveContact(Executor):
    """Creates a contact, or adds new data to the one of that name; undo removes exactly the added rows."""

    function = "save_contact"
    requirements = (Requirement(PEOPLE, msg("The contacts cannot be read.")),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        name = str(call.parameters["name"])
        people, numbers = await observe(phone, PEOPLE, NUMBERS)
        own = people_named(people.items, name)
        if len({row["contact_id"] for row in own}) > 1:
            raise RefusedError(
                msg("{count} contacts are called {name!r}.", count=len(own), name=name),
                msg("Add the number to the right one by hand."),
            )
        if own:
            (data,) = await observe(phone, data_of(row_id(row) for row in own))
            return _extend(call, own, data.items)
        newest = max((row_id(row) for row in people.items), default=0)
        return _create(call, newest, name_of(str(call.parameters["phone_number"]), numbers.items))

    async def perform(self, phone: Device, step: Step) -> Receipt:
        if not _creates(step):
            await super().perform(phone, step)
            return await self.recover(phone, step)
        await run(phone, step.commands[0])
        raw_contact = await _raw_contact(phone, step)
        if raw_contact is None:
            raise RejectedError(step.commands[0], msg("no new contact appeared"), 0)
        for done, command in enumerate(step.commands[1:], start=1):
            await run(phone, f"{_VARIABLE}={raw_contact}; {command}", done)
        return await self.recover(phone, step)

    async def recover(self, phone: Device, step: Step) -> Receipt:
        raw_contact = await _raw_contact(phone, step)
        if raw_contact is None:
            return {}
        (data,) = await observe(phone, data_of([raw_contact]))
        added = [row for row in data.items if row_id(row) not in _numbers(step.before.get("rows"))]
        ours = [row_id(row) for row in added if _holds(row, _fields(step.call))]
        return {"raw_contact": raw_contact, "rows": [*ours]}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if "raw_contact" not in receipt:
            return Outcome(kind=OutcomeKind.FAILED, message=msg("The contact is not there."))
        reader = data_of([int(str(receipt["raw_contact"]))])
        (data,) = await observe(phone, reader)
        shown = (proof(reader, [dict(row) for row in data.items]),)
        wanted = _fields(step.call)[0 if _creates(step) else 1 :]
        absent = [field.word for field in wanted if not _has(data.items, field)]
        if absent:
            message = msg("The contact lacks {absent}.", absent=absent)
            return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        if "raw_contact" not in receipt:
            return
        raw_contact, ours = int(str(receipt["raw_contact"])), _numbers(receipt.get("rows"))
        (data,) = await observe(phone, data_of([raw_contact]))
        there = [row_id(row) for row in data.items]
        if _creates(step) and set(there) - set(ours):
            raise RefusedError(
                msg("The contact was changed since it was saved."), msg("Delete it by hand if you want to.")
            )
        rows = [f"{DATA}/{row}" for row in ours if row in there]
        for done, uri in enumerate([f"{RAW_CONTACTS}/{raw_contact}"] if _creates(step) else rows):
            await run(phone, content_delete(uri), done)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        raw_contact = await _raw_contact(phone, step)
        reader = data_of([raw_contact or 0])
        (data,) = await observe(phone, reader)
        ours = _numbers(receipt.get("rows"))
        left = [row for row in data.items if row_id(row) in ours]
        shown = (proof(reader, [dict(row) for row in data.items]),)
        if left or (_creates(step) and raw_contact is not None):
            return Outcome(kind=OutcomeKind.FAILED, message=msg("What was added is still there."), proof=shown)
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)


def _create(call: FunctionCall, newest: int, owner: str) -> Preparation:
    name, fields = str(call.parameters["name"]), _fields(call)
    # The new row's id is known only after the insert: a shell variable that `perform` sets stands for it.
    into = f" --bind raw_contact_id:i:${_VARIABLE}"
    also = (Effect(kind="contact_number_also", detail={"name": owner}),) if owner else ()
    return Preparation(
        commands=(
            content_insert(RAW_CONTACTS, _NO_ACCOUNT),
            *(content_insert(DATA, field.columns) + into for field in fields),
        ),
        effects=(Effect(kind="contact_new", detail={"name": name}), *_told(fields[1:]), *also),
        undo=(Effect(kind="contact_removed", detail={"name": name}),),
        before={"newest": newest},
    )


def _extend(call: FunctionCall, own: Sequence[Row], data: Sequence[Row]) -> Preparation:
    raw_contact = min(own, key=lambda row: (row["account_type"] not in _WRITABLE, row_id(row)))
    fields = [field for field in _fields(call)[1:] if not _has(data, field)]
    kept: list[JsonValue] = [row["data1"] for row in data if row["mimetype"] == _PHONE]
    detail: dict[str, JsonValue] = {"name": raw_contact["display_name"], "kept": kept}
    if not fields:
        return Preparation(effects=(Effect(kind="contact_there", detail=detail),), already=True)
    into: dict[str, Bound] = {"raw_contact_id": row_id(raw_contact)}
    return Preparation(
        commands=tuple(content_insert(DATA, into | field.columns) for field in fields),
        effects=(Effect(kind="contact_extended", detail=detail), *_told(fields)),
        undo=(Effect(kind="contact_reduced", detail={"name": raw_contact["display_name"]}),),
        before={"raw_contact": row_id(raw_contact), "rows": [row_id(row) for row in data]},
    )


_WRITABLE = (None, "com.google", "com.android.localphone", "com.xiaomi", "vnd.sec.contact.phone")
"""Accounts whose contacts can be extended; those of chat apps are read-only mirrors."""


def _fields(call: FunctionCall) -> list[_Field]:
    """Returns the rows for the call's arguments, the name first."""
    given = {name: str(value) for name, value in call.parameters.items()}
    fields = [
        _Field("name", _NAME, given["name"], {}),
        _Field("number", _PHONE, given["phone_number"], {"data2": _MOBILE}),
    ]
    if "email" in given:
        fields.append(_Field("email", _EMAIL, given["email"], {"data2": _OTHER}))
    if "company" in given or "job_title" in given:
        more: dict[str, Bound] = {"data2": _WORK, "data4": given.get("job_title")}
        fields.append(_Field("job", _ORGANIZATION, given.get("company"), more))
    if "note" in given:
        fields.append(_Field("note", _NOTE, given["note"], {}))
    return fields


def _told(fields: Sequence[_Field]) -> list[Effect]:
    """Returns the effects, one per row."""
    told = []
    for field in fields:
        values = [field.data1, field.more.get("data4")]
        text = ", ".join(str(value) for value in values if value)
        told.append(Effect(kind=f"contact_{field.word}", detail={"text": text}))
    return told


def _has(data: Sequence[Row], field: _Field) -> bool:
    """Whether the contact has the row, or another one in its place that is not overwritten."""
    return any(row["mimetype"] == field.mimetype and field.mimetype in _SINGLE for row in data) or any(
        _holds(row, [field]) for row in data
    )


def _holds(row: Row, fields: Sequence[_Field]) -> bool:
    """Whether ``row`` is one of ``fields``."""
    text = row["data1"] or ""
    for field in fields:
        same = same_number(text, field.data1 or "") if field.mimetype == _PHONE else text == (field.data1 or "")
        if row["mimetype"] == field.mimetype and same:
            return True
    return False


def _creates(step: Step) -> bool:
    return "newest" in step.before


async def _raw_contact(phone: Device, step: Step) -> int | None:
    """Returns the raw contact that the step writes to; None when it is absent or ambiguous."""
    if not _creates(step):
        return int(str(step.before["raw_contact"]))
    (people,) = await observe(phone, PEOPLE)
    name, newest = str(step.call.parameters["name"]), int(str(step.before["newest"]))
    fresh = [row for row in people.items if row_id(row) > newest]
    ours = [row for row in fresh if not row["display_name"] or same_name(row["display_name"], name)]
    return row_id(ours[0]) if len(ours) == 1 else None


def _numbers(value: JsonValue) -> list[int]:
    """Returns a recorded list of ids."""
    return [int(str(item)) for item in value] if isinstance(value, list) else []
