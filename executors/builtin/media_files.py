"""Moves pictures, videos and downloads into the media store's bin and back; never deletes permanently."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.commands import am_start, content_update
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.content import Row, rows
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import app_for, require_screen, verify_opened
from function_pool.assessment import RiskReason
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.validation import CallFault, InvalidCallError
from heed.messages import msg

_IMAGES = "content://media/external/images/media"
_VIDEOS = "content://media/external/video/media"
_FILES = "content://media/external/file"
_VIEW = "android.intent.action.VIEW"
_LARGE = 100 * 1024 * 1024
_MOST = 200
"""Items of one clean-up when the call gives no limit; a number that a person can review."""
_MANY = 20
_SHOWN_NAMES = 20
_MATCH_TRASHED = "android:query-arg-match-trashed"
_WITH_BIN, _ONLY_BIN = 1, 3
"""``MediaStore.MATCH_INCLUDE`` and ``MATCH_ONLY``."""


class _Category(NamedTuple):
    uri: str
    where: str


_CATEGORIES = {
    "screenshots": _Category(_IMAGES, "relative_path LIKE '%Screenshots%'"),
    "large_videos": _Category(_VIDEOS, f"_size>={_LARGE}"),
    "downloads": _Category(_FILES, "relative_path LIKE 'Download/%' AND _size>0"),
}
_UNKNOWN_FROM_ROWS = {
    "duplicates": msg("Which pictures are duplicates cannot be told from the media store's rows."),
    "blurred": msg("Which pictures are blurred cannot be told from the media store's rows."),
}


class CleanUpMediaFiles(Executor):
    """Sets and clears ``is_trashed`` row by row; the media store keeps trashed files for 30 days."""

    function = "clean_up_media_files"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        category = _category(call)
        (now,) = await observe(phone, CLOCK)
        items = await _items(phone, call, category, now)
        found = _found(call, items, now) | {"names": await _names(phone, category, items)}
        if not items:
            return Preparation(effects=(Effect(kind="media_none", detail=found),), already=True)
        if call.parameters["action"] == "review_only":
            return await _review(phone, category, Effect(kind="media_review", detail=found))
        trash = call.parameters["action"] == "trash"
        ids = [int(row["_id"] or 0) for row in items]
        return Preparation(
            commands=tuple(_set_trashed(category.uri, item, trash) for item in ids),
            effects=(Effect(kind="media_trashed" if trash else "media_restored", detail=found),),
            undo=(Effect(kind="media_restored" if trash else "media_trashed", detail=found),),
            before={"uri": category.uri, "ids": [*ids]},
            reasons=tuple(_reasons(call, len(ids))) if trash else (),
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        return await _all_trashed(phone, step, step.call.parameters["action"] == "trash")

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        restore = step.call.parameters["action"] == "trash"
        for done, item in enumerate(_ids(step)):
            await run(phone, _set_trashed(str(step.before["uri"]), item, not restore), done)

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _all_trashed(phone, step, step.call.parameters["action"] != "trash")


def _category(call: FunctionCall) -> _Category:
    name = str(call.parameters["category"])
    if name in _UNKNOWN_FROM_ROWS:
        raise RefusedError(_UNKNOWN_FROM_ROWS[name], msg("Choose them in the gallery."))
    return _Category(_FILES, f"_id IN ({','.join(_selected(call))})") if name == "selected" else _CATEGORIES[name]


def _selected(call: FunctionCall) -> list[str]:
    media_ids = call.parameters.get("media_ids")
    ids = [str(item) for item in media_ids] if isinstance(media_ids, list) else []
    if not all(item.isascii() and item.isdigit() and len(item) < 19 for item in ids):
        raise InvalidCallError(call.name, (CallFault("media_ids", msg("must be whole numbers, not {ids}", ids=ids)),))
    return ids


async def _items(phone: Device, call: FunctionCall, category: _Category, now: datetime) -> Sequence[Row]:
    """Returns the files that the call selects, oldest first."""
    where = category.where
    if "before_date" in call.parameters:
        midnight = datetime.fromisoformat(str(call.parameters["before_date"])).replace(tzinfo=now.tzinfo)
        where += f" AND date_added<{int(midnight.timestamp())}"
    restores = call.parameters["action"] == "restore"
    extras = {_MATCH_TRASHED: _ONLY_BIN} if restores else None
    reader = rows(category.uri, ["date_added", "_size"], where=where, sort="date_added ASC", extras=extras)
    (found,) = await observe(phone, reader)
    limit = call.parameters.get("max_items")
    items: Sequence[Row] = found.items
    return items[: limit if isinstance(limit, int) else _MOST]


def _found(call: FunctionCall, items: Sequence[Row], now: datetime) -> dict[str, JsonValue]:
    """Returns count, size and days of the files; days in the phone's time zone."""
    added = [datetime.fromtimestamp(int(row["date_added"] or 0), now.tzinfo) for row in items]
    days = [moment.date().isoformat() for moment in added]
    return {
        "category": call.parameters["category"],
        "count": len(items),
        "bytes": sum(int(row["_size"] or 0) for row in items),
        "from_day": min(days, default=""),
        "to_day": max(days, default=""),
    }


async def _names(phone: Device, category: _Category, items: Sequence[Row]) -> list[JsonValue]:
    """Returns the names of the first items, queried apart: they are free text (docs/android-notes.md, "Rows of …")."""
    ids = [str(row["_id"]) for row in items[:_SHOWN_NAMES]]
    if not ids:
        return []
    where = f"_id IN ({','.join(ids)})"
    reader = rows(category.uri, ["_display_name"], where=where, extras={_MATCH_TRASHED: _WITH_BIN})
    (found,) = await phone.read_many([reader])
    names = {} if isinstance(found, Exception) else {row["_id"]: row["_display_name"] for row in found.items}
    return [names.get(item) or f"#{item}" for item in ids]


def _reasons(call: FunctionCall, count: int) -> list[RiskReason]:
    reasons = []
    if count > _MANY:
        reasons.append(RiskReason(rule="many_items", risk=Risk.R4))
    if call.parameters["category"] != "screenshots":
        reasons.append(RiskReason(rule="not_only_screenshots", risk=Risk.R4, parameter="category"))
    return reasons


async def _review(phone: Device, category: _Category, effect: Effect) -> Preparation:
    await require_screen(phone)
    mime_type = "vnd.android.cursor.dir/video" if category.uri == _VIDEOS else "vnd.android.cursor.dir/image"
    app = await app_for(phone, _VIEW, mime_type)
    command = am_start(action=_VIEW, mime_type=mime_type, package=app)
    return Preparation(commands=(command,), effects=(effect,), before={"app": app}, hands_over=True)


def _set_trashed(uri: str, item: int, trashed: bool) -> str:
    return content_update(f"{uri}/{item}", {"is_trashed": int(trashed)})


async def _all_trashed(phone: Device, step: Step, trashed: bool) -> Outcome:
    """Reads the files of the step once and compares their ``is_trashed``."""
    ids = _ids(step)
    where = f"_id IN ({','.join(str(item) for item in ids)})"
    reader = rows(str(step.before["uri"]), ["is_trashed"], where=where, extras={_MATCH_TRASHED: _WITH_BIN})
    (found,) = await observe(phone, reader)
    there = {int(row["_id"] or 0) for row in found.items if row["is_trashed"] == str(int(trashed))}
    shown = (proof(reader, f"{len(there)} of {len(ids)} have is_trashed={int(trashed)}"),)
    if there == set(ids):
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    place = msg("in the bin") if trashed else msg("out of the bin")
    message = msg("Only {count} of {ids_count} are {place}.", count=len(there), ids_count=len(ids), place=place)
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


def _ids(step: Step) -> list[int]:
    ids = step.before["ids"]
    return [int(str(item)) for item in ids] if isinstance(ids, list) else []
