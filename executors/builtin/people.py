"""Calls, chats, posts, blocked numbers and reports; every step ends before anything reaches another person."""

import re

from pydantic import JsonValue

from android_bridge.commands import Extra, am_start, encode
from android_bridge.device import Device
from android_bridge.facts.activities import Activities
from executors.address_book import Recipient, plain_number, resolve
from executors.apps import Installed, find_app, launch
from executors.executor import RefusedError
from executors.media_store import file_at
from executors.plan import Effect, Preparation
from executors.screen import HandOverExecutor, app_for, hand_over, require_screen, requires_app
from executors.sharing import receiver, share
from function_pool.call import FunctionCall
from heed.messages import msg

_DIAL, _VIEW = (f"android.intent.action.{name}" for name in ("DIAL", "VIEW"))
_SENDTO = "android.intent.action.SENDTO"
_TEXT = "android.intent.extra.TEXT"
_BLOCKED = "android.telecom.action.MANAGE_BLOCKED_NUMBERS"
_ANTI_FRAUD = "NCA Anti-Fraud"
_INTERNATIONAL = re.compile(r"\+\d{7,15}")


class MakePhoneCall(HandOverExecutor):
    """Opens the dialler or a chat; the owner starts the call."""

    function = "make_phone_call"
    requirements = (requires_app(_DIAL, data="tel:"),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        given = str(call.parameters.get("phone_number") or call.parameters["contact_name"])
        who = await resolve(phone, given)
        named = str(call.parameters.get("app_name", "phone"))
        if named != "phone":
            return await self._in_app(phone, call, who, await find_app(phone, named), front)
        app = await app_for(phone, _DIAL, data="tel:")
        command = am_start(action=_DIAL, data=f"tel:{encode(plain_number(who.number))}", package=app)
        detail: dict[str, JsonValue] = {"name": who.name, "number": who.number}
        effect = Effect(kind="call_dialled" if who.name else "call_number", detail=detail)
        return hand_over(command, app, effect, *_video(call), before=front)

    async def _in_app(
        self, phone: Device, call: FunctionCall, who: Recipient, app: Installed, front: Activities
    ) -> Preparation:
        detail: dict[str, JsonValue] = {"name": who.name or who.number, "number": who.number, "app": app.words}
        effect = Effect(kind="call_in_app", detail=detail)
        command = _whatsapp(who, app) if app.name == "WhatsApp" else await launch(phone, app)
        return hand_over(command, app.package, effect, *_video(call), before=front)


def _video(call: FunctionCall) -> list[Effect]:
    return [Effect(kind="call_video")] if call.parameters.get("call_type") == "video" else []


def _whatsapp(who: Recipient, app: Installed, text: str = "") -> str:
    """Returns the command for a chat; the number has its country code and digits only.

    Source: https://faq.whatsapp.com/5913398998672934
    """
    number = plain_number(who.number)
    if not _INTERNATIONAL.fullmatch(number):
        raise RefusedError(
            msg("WhatsApp needs {number} with its country code (+…).", number=who.number), msg("Save it that way.")
        )
    query = f"?text={encode(text)}" if text else ""
    return am_start(action=_VIEW, data=f"https://wa.me/{number.removeprefix('+')}{query}", package=app.package)


class SendInstantMessage(HandOverExecutor):
    """Opens a chat app with the text filled in; the owner chooses the receiver where the app takes none, and sends."""

    function = "send_instant_message"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        app = await find_app(phone, str(call.parameters["app_name"]))
        recipient, text = str(call.parameters["recipient"]), str(call.parameters["content"])
        if app.name == "WhatsApp" and "attachment_uri" not in call.parameters:
            who = await resolve(phone, recipient)
            detail: dict[str, JsonValue] = {"name": who.name or who.number, "number": who.number}
            effect = Effect(kind="chat_to", detail={**detail, "app": app.words, "text": text})
            return hand_over(_whatsapp(who, app, text), app.package, effect, before=front)
        command, attached = await _sending(phone, app, text, _files(call, "attachment_uri"))
        effect = Effect(kind="chat_pick", detail={"name": recipient, "app": app.words, "text": text})
        return hand_over(command, app.package, effect, *attached, before=front)


class PublishSocialPost(HandOverExecutor):
    """Opens a post with the text filled in; the owner publishes it."""

    function = "publish_social_post"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        platform, text = str(call.parameters["platform_info"]), str(call.parameters["content"])
        app = await find_app(phone, "WeChat" if platform == "WeChat Moments" else platform)
        command, attached = await _sending(phone, app, text, _files(call, "image_uris"))
        effects = [Effect(kind="post_draft", detail={"app": app.words, "text": text}), *attached]
        if "visibility" in call.parameters:
            effects.append(Effect(kind="post_visibility", detail={"visibility": call.parameters["visibility"]}))
        return hand_over(command, app.package, *effects, before=front)


def _files(call: FunctionCall, name: str) -> list[str]:
    value = call.parameters.get(name, [])
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


async def _sending(phone: Device, app: Installed, text: str, places: list[str]) -> tuple[str, list[Effect]]:
    """Returns the command that passes text and files to an app (ACTION_SEND), and the effects for the files."""
    files = [await file_at(phone, place) for place in places]
    if len(files) > 1:
        raise RefusedError(msg("heed attaches one file at a time."), msg("Name one, and add the others by hand."))
    file = files[0] if files else None
    await receiver(phone, file, app.package)
    return share({_TEXT: text}, file, app.package), [
        Effect(kind="mail_attachment", detail={"name": file.name}) for file in files
    ]


class BlockPhoneNumber(HandOverExecutor):
    """Opens the phone's list of blocked numbers; the shell may not write to it.

    Source: docs/android-notes.md, "Permissions of the shell".
    """

    function = "block_phone_number"
    requirements = (requires_app(_BLOCKED),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        app = await app_for(phone, _BLOCKED)
        number = call.parameters["phone_number"]
        effect = Effect(kind="block_page", detail={"number": number})
        return hand_over(am_start(action=_BLOCKED, package=app), app, effect, before=front)


class ReportSpamMessage(HandOverExecutor):
    """Fills in a message to the reporting number, or opens the conversation or the anti-fraud app."""

    function = "report_spam_message"
    requirements = (requires_app(_SENDTO, data="smsto:"),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        number = str(call.parameters["sender_number"])
        channel = str(call.parameters.get("report_channel", "message_app"))
        if channel == "anti_fraud_app":
            app = await find_app(phone, _ANTI_FRAUD)
            effect = Effect(kind="report_app", detail={"app": app.words, "number": number})
            return hand_over(await launch(phone, app), app.package, effect, before=front)
        package = await app_for(phone, _SENDTO, data="smsto:")
        if channel == "message_app":
            command = am_start(action=_SENDTO, data=f"smsto:{encode(number)}", package=package)
            return hand_over(command, package, Effect(kind="report_thread", detail={"number": number}), before=front)
        text = f"{number}: {call.parameters.get('message_excerpt', '')}".removesuffix(": ")
        extras: dict[str, Extra] = {"sms_body": text, "exit_on_sent": True}
        command = am_start(action=_SENDTO, data=f"smsto:{channel}", package=package, extras=extras)
        detail: dict[str, JsonValue] = {"channel": channel, "number": number, "text": text}
        return hand_over(command, package, Effect(kind="report_compose", detail=detail), before=front)
