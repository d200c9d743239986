"""``cmd wifi``, ``connectivity``, ``phone``, ``bluetooth_manager`` and ``location``."""

from collections.abc import Callable, Sequence

from virtual_phone.shell.call import ProgramReply
from virtual_phone.state import PhoneState


def wifi(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``status``, ``set-wifi-enabled``, ``connect-network``, ``list-networks``, ``forget-network``."""
    verb = _WIFI_VERBS.get(args[0] if args else "")
    return verb(state, list(args[1:])) if verb else ProgramReply("Wi-Fi (wifi) commands:\n", status=255)


def _status(state: PhoneState, args: list[str]) -> ProgramReply:
    return ProgramReply(_wifi_status(state))


def _set_enabled(state: PhoneState, args: list[str]) -> ProgramReply:
    if args not in (["enabled"], ["disabled"]):
        return ProgramReply(stderr="Invalid args to set-wifi-enabled\n", status=255)
    state.network.set_wifi(args == ["enabled"])
    return ProgramReply()


def _connect(state: PhoneState, args: list[str]) -> ProgramReply:
    if len(args) < 2:
        return ProgramReply(stderr="Invalid args to connect-network\n", status=255)
    state.network.join(args[0], args[1])
    return ProgramReply("Connection initiated \n")


def _list(state: PhoneState, args: list[str]) -> ProgramReply:
    saved = enumerate(state.network.saved.items())
    rows = "".join(f"{number:<12} {ssid:<32} {kind}^\n" for number, (ssid, kind) in saved)
    return ProgramReply(
        f"Network Id      SSID                         Security type\n{rows}" if rows else "No networks\n"
    )


def _forget(state: PhoneState, args: list[str]) -> ProgramReply:
    names = list(state.network.saved)
    if len(args) != 1 or not args[0].isdigit() or int(args[0]) >= len(names):
        return ProgramReply("Forget failed with error code: 0\n")
    state.network.forget(names[int(args[0])])
    return ProgramReply("Forget successful\n")


def _wifi_status(state: PhoneState) -> str:
    network = state.network
    if not network.wifi:
        return "Wifi is disabled\nWifi scanning is only available when wifi is enabled\n"
    begin = (
        "Wifi is enabled\nWifi scanning is only available when wifi is enabled\n"
        "==== ClientModeManager instance: "
        "ConcreteClientModeManager{id=408299759 iface=wlan0 role=ROLE_CLIENT_PRIMARY} ====\n"
    )
    if not network.ssid:
        return begin + "Wifi is not connected\n"
    return begin + f'Wifi is connected to "{network.ssid}"\nWifiInfo: {wifi_info(state)}\n'


def wifi_info(state: PhoneState) -> str:
    """The WifiInfo line that several commands print."""
    if not state.network.wifi_connected:
        return (
            "SSID: <unknown ssid>, BSSID: <none>, MAC: 02:00:00:00:00:00, IP: null, Security type: -1, "
            "Supplicant state: DISCONNECTED, Wi-Fi standard: unknown, RSSI: -127, Link speed: -1Mbps, "
            "Frequency: -1MHz, Net ID: -1, Metered hint: false, score: 0, isUsable: true"
        )
    return (
        f'SSID: "{state.network.ssid}", BSSID: 02:00:5e:00:00:01, MAC: 02:00:00:00:00:00, IP: /192.168.1.54, '
        "Security type: 2, Supplicant state: COMPLETED, Wi-Fi standard: 11ax, RSSI: -52, Link speed: 866Mbps, "
        "Tx Link speed: 866Mbps, Max Supported Tx Link speed: 1200Mbps, Rx Link speed: 866Mbps, "
        "Max Supported Rx Link speed: 1200Mbps, Frequency: 5240MHz, Net ID: 0, Metered hint: false, score: 60, "
        "isUsable: true, CarrierMerged: false, SubscriptionId: -1, IsPrimary: 1, Trusted: true"
    )


def connectivity(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd connectivity airplane-mode [enable|disable]``."""
    if args[:1] == ["airplane-mode"]:
        if len(args) == 1:
            return ProgramReply("enabled\n" if state.network.airplane else "disabled\n")
        if args[1] in ("enable", "disable"):
            state.network.set_airplane(args[1] == "enable")
            return ProgramReply()
    return ProgramReply("Connectivity service commands:\n", status=255)


def phone(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd phone data enable|disable``."""
    if args[:1] == ["data"] and args[1:2] and args[1] in ("enable", "disable"):
        state.network.set_mobile_data(args[1] == "enable")
        return ProgramReply()
    return ProgramReply("Telephony Commands:\n", status=255)


def location(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd location is-location-enabled|set-location-enabled``."""
    words = [word for word in args if word not in ("--user", "0", "current")]
    if words[:1] == ["is-location-enabled"]:
        return ProgramReply(f"{str(state.location.enabled).lower()}\n")
    if words[:1] == ["set-location-enabled"] and words[1:2] and words[1] in ("true", "false"):
        state.location.set_enabled(words[1] == "true")
        return ProgramReply()
    return ProgramReply("Location service commands:\n", status=255)


def bluetooth(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``cmd bluetooth_manager enable|disable``."""
    if args[:1] and args[0] in ("enable", "disable"):
        state.bluetooth.set_enabled(args[0] == "enable")
        return ProgramReply(f"{args[0]}Bluetooth: Success\n")
    if args[:1] and args[0].startswith("wait-for-state:"):
        return ProgramReply("wait-for-state: Success\n")
    return ProgramReply("Bluetooth Manager Commands:\n", status=255)


_WIFI_VERBS: dict[str, Callable[[PhoneState, list[str]], ProgramReply]] = {
    "status": _status, "set-wifi-enabled": _set_enabled, "connect-network": _connect, "list-networks": _list,
    "forget-network": _forget,
}  # fmt: skip
