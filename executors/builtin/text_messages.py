"""Text messages (SMS)."""

import re

from android_bridge.commands import am_start, encode
from android_bridge.device import Device
from android_bridge.facts.settings import setting
from executors.address_book import resolve
from executors.observation import observe
from executors.plan import Effect, Preparation
from executors.screen import HandOverExecutor, hand_over, require_screen, requires_app
from function_pool.call import FunctionCall

_SMS_APP = setting("secure", "sms_default_application")
_PACKAGE = re.compile(r"[A-Za-z]\w*(?:\.\w+)+", re.ASCII)


class SendSms(HandOverExecutor):
    """Opens the message in the phone's SMS app; the owner sends it."""

    function = "send_sms"
    requirements = (requires_app("android.intent.action.SENDTO", data="smsto:"),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        text = str(call.parameters["content"])
        recipient = await resolve(phone, str(call.parameters["recipient"]))
        (setting_value,) = await observe(phone, _SMS_APP)
        app = setting_value if setting_value and _PACKAGE.fullmatch(setting_value) else ""
        command = am_start(
            action="android.intent.action.SENDTO",
            data=f"smsto:{encode(recipient.number)}",
            package=app,
            extras={"sms_body": text, "exit_on_sent": True},
        )
        detail = {"name": recipient.name, "number": recipient.number, "text": text}
        effects = [Effect(kind="sms_compose_named" if recipient.name else "sms_compose", detail=detail)]
        if "sim_slot" in call.parameters:
            effects.append(Effect(kind="sim_by_hand", detail={"slot": call.parameters["sim_slot"]}))
        return hand_over(command, app, *effects, before=front)
