"""E-mail drafts."""

from pydantic import JsonValue

from android_bridge.commands import Extra, am_start, encode
from android_bridge.device import Device
from android_bridge.facts.activities import Activities
from executors.apps import Installed, find_app, package_name, words_of
from executors.media_store import file_at
from executors.plan import Effect, Preparation
from executors.screen import HandOverExecutor, app_for, hand_over, require_screen, requires_app
from executors.sharing import receiver, share
from function_pool.call import FunctionCall

_SENDTO = "android.intent.action.SENDTO"
_EXTRA = "android.intent.extra."


class ComposeEmail(HandOverExecutor):
    """Opens a draft in a mail app; the owner sends it."""

    function = "compose_email"
    requirements = (requires_app(_SENDTO, data="mailto:"),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        named = str(call.parameters.get("app_name", "default"))
        app = await find_app(phone, named) if named != "default" else None
        if "attachment_uri" in call.parameters:
            return await self._with_file(phone, call, app, front)
        package = await app_for(phone, _SENDTO, data="mailto:", package=app.package if app else "")
        # Gmail reads the address, others the extras (developer.android.com, common intents).
        command = am_start(action=_SENDTO, data=self.address(call), package=package, extras=_fields(call))
        return hand_over(command, package, *_effects(call, app, package), before=front)

    @staticmethod
    def address(call: FunctionCall) -> str:
        """Returns the draft as a ``mailto:`` address (RFC 6068)."""
        query = [f"{name}={encode(str(call.parameters[name]))}" for name in ("subject", "body")]
        if copies := _list(call, "cc"):
            query.insert(0, f"cc={encode(','.join(copies))}")
        return f"mailto:{encode(','.join(_list(call, 'to')))}?{'&'.join(query)}"

    async def _with_file(
        self, phone: Device, call: FunctionCall, app: Installed | None, front: Activities
    ) -> Preparation:
        file = await file_at(phone, str(call.parameters["attachment_uri"]))
        mail = app.package if app else await app_for(phone, _SENDTO, data="mailto:")
        package = await receiver(phone, file, mail)
        attachment = Effect(kind="mail_attachment", detail={"name": file.name})
        command = share(_fields(call), file, package)
        return hand_over(command, package, *_effects(call, app, package), attachment, before=front)


def _list(call: FunctionCall, name: str) -> list[str]:
    value = call.parameters.get(name)
    return [str(item) for item in value] if isinstance(value, list) else []


def _fields(call: FunctionCall) -> dict[str, Extra]:
    fields: dict[str, Extra] = {f"{_EXTRA}EMAIL": _list(call, "to")}
    if copies := _list(call, "cc"):
        fields[f"{_EXTRA}CC"] = copies
    fields |= {f"{_EXTRA}SUBJECT": str(call.parameters["subject"]), f"{_EXTRA}TEXT": str(call.parameters["body"])}
    return fields


def _effects(call: FunctionCall, app: Installed | None, package: str) -> list[Effect]:
    name = package_name(package)
    words: JsonValue = words_of(name) if name else {"en": "the mail app", "zh": "邮件应用"}
    if app is not None:
        words = app.words
    detail: dict[str, JsonValue] = {"to": [*_list(call, "to")], "app": words}
    detail |= {"subject": call.parameters["subject"], "body": call.parameters["body"]}
    effects = [Effect(kind="mail_compose", detail=detail)]
    if "cc" in call.parameters:
        effects.append(Effect(kind="mail_copies", detail={"cc": call.parameters["cc"]}))
    return effects
