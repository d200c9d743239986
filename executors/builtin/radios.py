"""Bluetooth, Wi-Fi, mobile data, airplane mode, NFC, location.

Radios are switched with ``cmd`` and ``svc``, because a write to their settings keys has no effect or is reverted
(docs/android-notes.md, "Switches"). A change that would cut a wireless adb connection is refused, because it could not
be undone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from pydantic import JsonValue

from android_bridge.commands import quote
from android_bridge.device import Device
from android_bridge.facts.bluetooth import BLUETOOTH
from android_bridge.facts.network import AIRPLANE_MODE, MOBILE_DATA, WIFI, Wifi
from android_bridge.facts.properties import PROPERTIES, api_level
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from executors.capability import Requirement
from executors.executor import Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import settings_page
from executors.setting import PhoneSetting, SettingChange, SettingExecutor
from executors.shell_verbs import has_verb
from function_pool.call import FunctionCall
from heed.messages import msg

_ANDROID_13 = 33
_PATIENCE = 3.0
"""A phone joins a network or connects to the mobile one in up to ten seconds (docs/android-notes.md, "Switches")."""
_BLUETOOTH_PAGE = "android.settings.BLUETOOTH_SETTINGS"
_WIFI_PAGE = "android.settings.WIFI_SETTINGS"
_HOTSPOT_PAGE = "android.settings.TETHER_SETTINGS"
_WIRELESS = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|[\w.-]+):\d+$|\._adb-tls-connect\.", re.IGNORECASE)
"""Serials of phones with wireless adb: an address with a port, or an mDNS name."""
_THIS_MACHINE = re.compile(r"^(?:127\.0\.0\.1|\[::1\]|localhost|emulator):\d+$")
"""Emulators and virtual phones on this machine; adb reaches them without a radio."""


class ConnectionType(StrEnum):
    """The values of ``connection_type`` in the function pool."""

    WIFI = "wifi"
    MOBILE_DATA = "mobile_data"
    AIRPLANE_MODE = "airplane_mode"
    HOTSPOT = "hotspot"
    NFC = "nfc"
    LOCATION = "location"


def is_wireless(serial: str) -> bool:
    """Whether adb reaches the phone through its Wi-Fi."""
    return bool(_WIRELESS.search(serial)) and not _THIS_MACHINE.match(serial)


def _switch(name: str) -> Callable[[str], Effect]:
    return lambda value: Effect(kind=f"{name}_{'on' if value == '1' else 'off'}")


def _bit(value: object) -> str:
    return "1" if value else "0"


def _word(on: str, off: str) -> Callable[[str], str]:
    return lambda value: on if value == "1" else off


_ENABLE = _word("enable", "disable")


@parser(msg("The NFC state"))
def parse_nfc(text: str) -> bool:
    """Parses ``dumpsys nfc``: ``mState=on`` or ``off`` (AOSP ``NfcService.java``); unreadable while it changes."""
    return find(_NFC_STATE, text, msg("mState on or off")) == "on"


@parser(msg("The location switch"))
def parse_location_switch(text: str) -> bool:
    """Parses ``cmd location is-location-enabled``."""
    return find(_LOCATION_STATE, text, msg("true or false")) == "true"


_NFC_STATE = re.compile(r"^mState=(on|off)$", re.MULTILINE)
_LOCATION_STATE = re.compile(r"^(true|false)$", re.MULTILINE)
NFC = Reader("nfc", "dumpsys nfc", parse_nfc, verified=False)
LOCATION_SWITCH = Reader("location_switch", "cmd location is-location-enabled", parse_location_switch, verified=False)


def _bluetooth(sdk: int) -> PhoneSetting:
    tool = "cmd bluetooth_manager" if sdk >= _ANDROID_13 else "svc bluetooth"
    return PhoneSetting(
        name="bluetooth",
        reader=BLUETOOTH,
        write=lambda value: f"{tool} {_ENABLE(value)}",
        effect=_switch("bluetooth"),
        text=lambda state: _bit(state.enabled),
    )


WIFI_SWITCH = PhoneSetting(
    name="wifi",
    reader=WIFI,
    write=lambda value: f"cmd wifi set-wifi-enabled {_ENABLE(value)}d",
    effect=_switch("wifi"),
    text=lambda wifi: _bit(wifi.enabled),
)
_SWITCHES = {
    ConnectionType.WIFI: WIFI_SWITCH,
    ConnectionType.MOBILE_DATA: PhoneSetting(
        name="mobile_data",
        reader=MOBILE_DATA,
        write=lambda value: f"cmd phone data {_ENABLE(value)}",
        effect=_switch("mobile_data"),
        text=_bit,
    ),
    ConnectionType.AIRPLANE_MODE: PhoneSetting(
        name="airplane_mode",
        reader=AIRPLANE_MODE,
        write=lambda value: f"cmd connectivity airplane-mode {_ENABLE(value)}",
        effect=_switch("airplane_mode"),
        text=_bit,
    ),
    ConnectionType.NFC: PhoneSetting(
        name="nfc",
        reader=NFC,
        write=lambda value: f"svc nfc {_ENABLE(value)}",
        effect=_switch("nfc"),
        text=_bit,
    ),
    ConnectionType.LOCATION: PhoneSetting(
        name="location",
        reader=LOCATION_SWITCH,
        write=lambda value: f"cmd location set-location-enabled {_word('true', 'false')(value)}",
        effect=_switch("location"),
        text=_bit,
    ),
}


class SetBluetooth(SettingExecutor):
    """Switches Bluetooth; for a single device the settings page is opened."""

    function = "set_bluetooth"
    patience = _PATIENCE
    requirements = (Requirement(BLUETOOTH, msg("The phone does not tell its Bluetooth state.")),)

    async def facts(self, phone: Device, call: FunctionCall) -> Mapping[str, JsonValue]:
        (properties,) = await observe(phone, PROPERTIES)
        return {"sdk": api_level(properties)}

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        return [SettingChange(_bluetooth(int(str(facts["sdk"]))), _bit(call.parameters["enabled"]))]

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        if call.parameters.get("action", "toggle") != "toggle" or "device_name" in call.parameters:
            device = call.parameters.get("device_name", "…")
            return await settings_page(phone, _BLUETOOTH_PAGE, Effect(kind="bluetooth_page", detail={"device": device}))
        preparation = await super().prepare(phone, call)
        (bluetooth,) = await observe(phone, BLUETOOTH)
        if preparation.already or call.parameters["enabled"] or not bluetooth.connected:
            return preparation
        names: list[JsonValue] = [device.name for device in bluetooth.bonded]
        drops = Effect(kind="bluetooth_drops", detail={"names": names})
        return preparation.model_copy(update={"effects": (*preparation.effects, drops)})


class SetConnectivity(SettingExecutor):
    """Switches a radio, joins a Wi-Fi network, or opens the hotspot's settings."""

    function = "set_connectivity"
    patience = _PATIENCE

    def changes(self, call: FunctionCall, facts: Mapping[str, JsonValue]) -> Sequence[SettingChange]:
        return [SettingChange(_SWITCHES[_connection(call)], _bit(call.parameters["enabled"]))]

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        connection, enabled = _connection(call), bool(call.parameters["enabled"])
        if is_wireless(phone.serial) and (connection, enabled) in _CUTS_WIFI:
            message = msg("This phone is connected over Wi-Fi: heed would lose it and could not undo that.")
            raise RefusedError(message, msg("Connect it with a cable first."))
        if connection is ConnectionType.HOTSPOT:
            return await settings_page(phone, _HOTSPOT_PAGE, Effect(kind="hotspot_page"))
        if connection is ConnectionType.WIFI and "ssid" in call.parameters:
            return await _joining(phone, call)
        return await super().prepare(phone, call)

    async def perform(self, phone: Device, step: Step) -> Receipt:
        password = step.call.parameters.get("password")
        if "ssid" not in step.before or password is None:
            return await super().perform(phone, step)
        await run(phone, step.commands[0], secret=f"password={quote(str(password))}")
        return {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if "ssid" not in step.before:
            return await super().verify(phone, step, receipt)
        (wifi,) = await observe(phone, WIFI)
        return _in_network(wifi, str(step.before["ssid"]))


def _connection(call: FunctionCall) -> ConnectionType:
    return ConnectionType(str(call.parameters["connection_type"]))


_CUTS_WIFI = ((ConnectionType.WIFI, False), (ConnectionType.AIRPLANE_MODE, True))
"""Changes that end a wireless adb connection."""


async def _joining(phone: Device, call: FunctionCall) -> Preparation:
    """Returns the ``cmd wifi connect-network`` step; the password is a shell variable that ``perform`` sets.

    Where only root may join a network from the shell (docs/android-notes.md, "Switches"), the Wi-Fi settings are
    opened.
    """
    ssid, security = str(call.parameters["ssid"]), str(call.parameters.get("security", ""))
    if not call.parameters["enabled"]:
        raise RefusedError(msg("heed forgets no networks."), msg("Forget it in the Wi-Fi settings."))
    wifi, joins = await observe(phone, WIFI, has_verb("wifi", "connect-network"))
    effect = Effect(kind="wifi_joins", detail={"ssid": ssid})
    if wifi.ssid == ssid:
        return Preparation(effects=(effect,), already=True)
    if is_wireless(phone.serial):
        message = msg("This phone is connected over Wi-Fi: heed would lose it in another network.")
        raise RefusedError(message, msg("Connect it with a cable first."))
    if not joins:
        return await settings_page(phone, _WIFI_PAGE, Effect(kind="wifi_page", detail={"ssid": ssid}))
    if ssid.startswith("-"):
        raise RefusedError(msg("That name could be taken for an option."), msg("Join it in the Wi-Fi settings."))
    has_password = "password" in call.parameters
    if not has_password and security not in ("", "open"):
        raise RefusedError(
            msg("The network “{ssid}” needs its password.", ssid=ssid), msg("Give it, or join in the Wi-Fi settings.")
        )
    kind = "open" if not has_password else security if security in ("wpa2", "wpa3") else "wpa2"
    command = f"cmd wifi connect-network {quote(ssid)} {kind}" + (' "$password"' if has_password else "")
    return Preparation(commands=(command,), effects=(effect,), before={"ssid": ssid, "network": wifi.ssid})


def _in_network(wifi: Wifi, ssid: str) -> Outcome:
    shown = (proof(WIFI, wifi),)
    if wifi.ssid == ssid:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    message = msg(
        "The phone is not in the network “{ssid}”. Is the password right, and the network in range?", ssid=ssid
    )
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)
