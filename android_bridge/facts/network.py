"""Wi-Fi, the default network, and the switches of airplane mode and mobile data.

``cmd wifi status`` checked against Android 12-13 and a newer phone, ``dumpsys connectivity`` against 14 (Xiaomi
HyperOS, with a VPN) and the emulator, the switches against ``settings list global`` of three phones. The name of a
Wi-Fi network is chosen by its operator, so it is third-party text.
"""

import re

from android_bridge.commands import settings_get
from android_bridge.facts.reader import Reader
from android_bridge.facts.settings import parse_switch
from android_bridge.facts.text import find, missing, parser
from heed.messages import msg
from heed.model import Frozen


class Wifi(Frozen):
    """The Wi-Fi switch and the network that the phone is connected to."""

    enabled: bool
    ssid: str | None
    """Name of the network; None when not connected or when the phone hides it."""
    rssi: int | None = None
    """Signal strength in dBm, about -90 (weak) to -30 (strong)."""


class Connectivity(Frozen):
    """The network that apps use by default."""

    transports: frozenset[str]
    """``WIFI``, ``CELLULAR``, ``ETHERNET``, ``VPN``, … (AOSP ``NetworkCapabilities``); empty without a network."""
    validated: bool
    """True when the phone has reached the internet through it."""
    metered: bool


_WIFI = re.compile(r"^Wifi is (enabled|disabled)$", re.MULTILINE)
_SSID = re.compile(r'^Wifi is connected to "(.*)"$', re.MULTILINE)
_RSSI = re.compile(r"\bRSSI: (-?\d{1,3})\b", re.ASCII)
_DEFAULT = re.compile(r"^Active default network: (none|\d{1,9})$", re.MULTILINE | re.ASCII)
_PRINTED_BY_MOBILE_DATA = 3
_SEVERAL_MODEMS = ("dsds", "dsda", "tsts")
"""``TelephonyManager.MultiSimVariants`` as the property has them."""
_AGENT = r"^  NetworkAgentInfo ?\{{.*?\bnetwork\{{{}\}}.*?\bnc\{{\[ Transports: ([A-Z_|]+) Capabilities: ([A-Z_0-9&]+)"


@parser(msg("The Wi-Fi state"))
def parse_wifi(text: str) -> Wifi:
    """Parses ``cmd wifi status`` (Android 11+); the first connected interface counts."""
    enabled = find(_WIFI, text, msg("Wifi is enabled or disabled")) == "enabled"
    connected = _SSID.search(text)
    if connected is None:
        return Wifi(enabled=enabled, ssid=None)
    rssi = _RSSI.search(text, connected.end())
    return Wifi(enabled=enabled, ssid=connected[1], rssi=int(rssi[1]) if rssi else None)


@parser(msg("The network"))
def parse_connectivity(text: str) -> Connectivity:
    """Parses ``dumpsys connectivity``: the agent of the active default network."""
    network = find(_DEFAULT, text, msg("active default network"))
    if network == "none":
        return Connectivity(transports=frozenset(), validated=False, metered=False)
    agent = re.search(_AGENT.format(network), text, re.MULTILINE)
    if agent is None:
        raise missing(msg("description of network {network}", network=network))
    capabilities = agent[2].split("&")
    return Connectivity(
        transports=frozenset(agent[1].split("|")),
        validated="VALIDATED" in capabilities,
        metered="NOT_METERED" not in capabilities,
    )


@parser(msg("The switch"))
def parse_mobile_data(text: str) -> bool:
    """Parses how many modems are active, then the key of the subscription for data, then the key of the whole phone.

    With more than one modem each subscription has a key of its own, and the phone's is out of date (LineageOS
    ``frameworks/opt/telephony``, ``GlobalSettingsHelper.getSettingName``; ``TelephonyManager.getActiveModemCount``).
    """
    lines = text.splitlines()
    if len(lines) != _PRINTED_BY_MOBILE_DATA:
        raise missing(msg("0 or 1"))
    modems, subscription, phone = (line.strip() for line in lines)
    return parse_switch(subscription if modems in _SEVERAL_MODEMS and subscription in ("0", "1") else phone)


WIFI = Reader("wifi", "cmd wifi status", parse_wifi)
CONNECTIVITY = Reader("connectivity", "dumpsys connectivity", parse_connectivity)
AIRPLANE_MODE = Reader("airplane_mode", settings_get("global", "airplane_mode_on"), parse_switch)
MOBILE_DATA = Reader(
    "mobile_data",
    "getprop persist.radio.multisim.config; "
    "settings get global mobile_data$(settings get global multi_sim_data_call); "
    f"{settings_get('global', 'mobile_data')}",
    parse_mobile_data,
)
"""The switch of the SIM card that carries data."""
