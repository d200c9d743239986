"""The tasks of AndroidWorld that functions of the pool do, with their calls; ``unsolved.yaml`` has the others."""

from collections.abc import Callable
from typing import Any

from bench.oracles.judging import JudgedCase, Params
from function_pool.call import FunctionCall


def _call(function: str, /, **parameters: Any) -> FunctionCall:
    return FunctionCall(name=function, parameters=parameters)


def _fixed(*calls: FunctionCall) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: list(calls)


def _sms(recipient: str) -> Callable[[Params], list[FunctionCall]]:
    return lambda params: [_call("send_sms", recipient=params[recipient], content=params["message"])]


def _opens(params: Params) -> list[FunctionCall]:
    return [_call("launch_app", app_name=params["app_name"])]


_WIFI_ON = _call("set_connectivity", connection_type="wifi", enabled=True)
_WIFI_OFF = _call("set_connectivity", connection_type="wifi", enabled=False)
_BLUETOOTH_ON = _call("set_bluetooth", enabled=True)
_BLUETOOTH_OFF = _call("set_bluetooth", enabled=False)
_BRIGHT = _call("set_display", setting="brightness", value="100")
_DARK = _call("set_display", setting="brightness", value="0")
_SEND = ("send_message_button",)
_SHUTTER = ("shutter_button",)

CASES = (
    JudgedCase("SystemBluetoothTurnOn", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOnVerify", _fixed(_BLUETOOTH_ON)),
    JudgedCase("SystemBluetoothTurnOff", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemBluetoothTurnOffVerify", _fixed(_BLUETOOTH_OFF)),
    JudgedCase("SystemWifiTurnOn", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOnVerify", _fixed(_WIFI_ON)),
    JudgedCase("SystemWifiTurnOff", _fixed(_WIFI_OFF)),
    JudgedCase("SystemWifiTurnOffVerify", _fixed(_WIFI_OFF)),
    JudgedCase("SystemBrightnessMax", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMaxVerify", _fixed(_BRIGHT)),
    JudgedCase("SystemBrightnessMin", _fixed(_DARK)),
    JudgedCase("SystemBrightnessMinVerify", _fixed(_DARK)),
    JudgedCase("TurnOffWifiAndTurnOnBluetooth", _fixed(_WIFI_OFF, _BLUETOOTH_ON)),
    JudgedCase("TurnOnWifiAndOpenApp", lambda params: [_WIFI_ON, *_opens(params)]),
    JudgedCase("OpenAppTaskEval", _opens),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "camera"}),
    JudgedCase("OpenAppTaskEval", _opens, params={"app_name": "settings"}),
    JudgedCase(
        "ContactsAddContact",
        lambda params: [_call("save_contact", name=params["name"], phone_number=params["number"])],
    ),
    JudgedCase("CameraTakePhoto", _fixed(_call("capture_image", mode="photo")), owner=_SHUTTER),
    # The first touch begins the recording, the second ends it.
    JudgedCase("CameraTakeVideo", _fixed(_call("capture_image", mode="video")), owner=_SHUTTER * 2),
    JudgedCase("SimpleSmsSend", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReply", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsReplyMostRecent", _sms("number"), owner=_SEND),
    JudgedCase("SimpleSmsResend", _sms("name"), owner=_SEND),
    JudgedCase("SimpleSmsSendReceivedAddress", _sms("name1"), owner=_SEND),
    JudgedCase("SimpleSmsSendClipboardContent", _sms("number"), owner=_SEND),
)
