"""Screenshots and the camera."""

import asyncio

from android_bridge.commands import am_start, content_call, content_update, quote, sql_text
from android_bridge.device import Device
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.content import Rows, rows
from android_bridge.facts.reader import Reader
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import app_for, hand_over, require_screen, requires_app, verify_opened
from function_pool.call import FunctionCall
from heed.messages import msg

_FOLDER = "/sdcard/Pictures/Screenshots"
_IMAGES = "content://media/external/images/media"
_STILL, _VIDEO = "android.media.action.STILL_IMAGE_CAMERA", "android.media.action.VIDEO_CAMERA"
_VARIABLE = "screenshot"
# The name has the time at which it is taken: a shell variable that `perform` sets stands for the path.
_COMMANDS = (
    f"mkdir -p {_FOLDER}",
    f'screencap -p "${_VARIABLE}"',
    f'{content_call("content://media", "scan_file")} --arg "${_VARIABLE}"',
)
_MATCH_TRASHED = {"android:query-arg-match-trashed": 1}


class CaptureImage(Executor):
    """Takes a screenshot and stores it on the phone, or opens the camera, where the owner presses the shutter.

    Refused while a secure window or a payment app is in front.
    """

    function = "capture_image"
    requirements = (requires_app(_STILL),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        mode = str(call.parameters["mode"])
        front = await require_screen(phone)
        seconds = _delay(call)
        delay = [Effect(kind="after_delay", detail={"seconds": seconds})] if seconds else []
        if mode != "screenshot":
            action = _VIDEO if mode == "video" else _STILL
            app = await app_for(phone, action)
            command = am_start(action=action, package=app)
            return hand_over(command, app, Effect(kind=f"camera_{mode}"), *delay, before=front)
        (now,) = await observe(phone, CLOCK)
        name = f"Screenshot_{now:%Y%m%d-%H%M%S}.png"
        return Preparation(
            commands=_COMMANDS,
            effects=(Effect(kind="screenshot"), *delay),
            undo=(Effect(kind="screenshot_trashed"),),
            before={"name": name},
        )

    async def perform(self, phone: Device, step: Step) -> Receipt:
        if delay := _delay(step.call):
            await asyncio.sleep(delay)
            await require_screen(phone)
        if step.hands_over:
            return await super().perform(phone, step)
        path = f"{_FOLDER}/{step.before['name']}"
        for done, command in enumerate(step.commands):
            await run(phone, f"{_VARIABLE}={quote(path)}; {command}", done)
        return await self.recover(phone, step)

    async def recover(self, phone: Device, step: Step) -> Receipt:
        if step.hands_over:
            return {}
        (found,) = await observe(phone, _named(str(step.before["name"])))
        ids = [int(row["_id"] or 0) for row in found.items]
        return {"id": ids[0]} if len(ids) == 1 else {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]), str(step.before["front"]))
        return await _is_trashed(phone, receipt, step, "0")

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        if "id" not in receipt:
            raise RefusedError(msg("The screenshot is not there any more."))
        await run(phone, content_update(f"{_IMAGES}/{int(str(receipt['id']))}", {"is_trashed": 1}))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _is_trashed(phone, receipt, step, "1")


def _delay(call: FunctionCall) -> int:
    return int(str(call.parameters.get("delay_seconds", 0)))


def _named(name: str) -> Reader[Rows]:
    return rows(_IMAGES, ["is_trashed"], where=f"_display_name={sql_text(name)}")


async def _is_trashed(phone: Device, receipt: Receipt, step: Step, wanted: str) -> Outcome:
    """Reads the screenshot's row once and compares its ``is_trashed`` (``"1"``: in the bin)."""
    # In the bin the row may have another name, so it is queried by its id.
    where = f"_id={int(str(receipt.get('id', 0)))}"
    reader = rows(_IMAGES, ["is_trashed"], where=where, extras=_MATCH_TRASHED)
    (found,) = await observe(phone, reader)
    shown_ = (proof(reader, [dict(row) for row in found.items]),)
    if found.items and found.items[0]["is_trashed"] == wanted:
        told = () if wanted == "1" else (Effect(kind="screenshot_named", detail={"name": step.before["name"]}),)
        return Outcome(kind=OutcomeKind.VERIFIED, told=told, proof=shown_)
    message = msg("The screenshot is not in the bin.") if found.items else msg("The screenshot is not in the gallery.")
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown_)
