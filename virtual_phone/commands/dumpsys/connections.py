"""Dumps of Wi-Fi, connectivity, telephony, Bluetooth, location and NFC."""

from collections.abc import Sequence

from virtual_phone.builds.build import Sim
from virtual_phone.commands.cmd.radios import wifi_info
from virtual_phone.commands.dumpsys.device import duration
from virtual_phone.state import PhoneState


def _bool(value: bool) -> str:
    return "true" if value else "false"


def wifi(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys wifi``: the switch and the current WifiInfo."""
    network = state.network
    return (
        "Verbose logging is off\n"
        "mVerboseLoggingLevel 0\n"
        "Stay-awake conditions: 0\n"
        "mInIdleMode false\n"
        "mScanPending false\n"
        "SettingsStore:\n"
        f"WifiState {int(network.wifi)}\n"
        f"AirplaneModeOn {_bool(network.airplane)}\n"
        "ScanAlwaysAvailable false\n"
        "Dump of WifiActiveModeWarden\n"
        f"Current wifi mode: {'EnabledState' if network.wifi else 'DisabledState'}\n"
        f"Wi-Fi is {'enabled' if network.wifi else 'disabled'}\n"
        f"NumActiveModeManagers: {int(network.wifi)}\n" + (f"mWifiInfo {wifi_info(state)}\n" if network.wifi else "")
    )


def connectivity(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys connectivity``: the default network and every agent."""
    network = state.network
    agents = []
    if network.wifi_connected:
        agents.append(_agent(100, "WIFI", "WIFI CONNECTED extra: ", f'SSID: "{network.ssid}"'))
    if network.mobile_connected:
        agents.append(_agent(101, "CELLULAR", "MOBILE[LTE] CONNECTED extra: cmnet", "TelephonyTransport"))
    default = "100" if network.wifi_connected else "101" if network.mobile_connected else "none"
    return (
        "NetworkProviders for: \n\n"
        f"Active default network: {default}\n\n"
        "Current per-App network preferences:\n\n"
        "Current Networks:\n" + "".join(agents) + "\n"
    )


def _agent(number: int, transport: str, info: str, transport_info: str) -> str:
    wifi = transport == "WIFI"
    interface, metered = ("wlan0", "NOT_METERED&") if wifi else ("rmnet_data0", "")
    return (
        f"  NetworkAgentInfo{{network{{{number}}}  handle{{{number * 4294967296 + 205}}}  ni{{{info}}} "
        "Score(Policies : TRANSPORT_PRIMARY&EVER_VALIDATED&IS_VALIDATED ; KeepConnected : 0)  "
        f"lp{{{{InterfaceName: {interface} LinkAddresses: [ 192.168.1.54/24 ] DnsAddresses: [ /8.8.8.8 ] }}}}  "
        f"nc{{[ Transports: {transport} Capabilities: {metered}INTERNET&NOT_RESTRICTED&TRUSTED&NOT_VPN&VALIDATED&"
        f"NOT_ROAMING&FOREGROUND&NOT_CONGESTED&NOT_SUSPENDED LinkUpBandwidth>=20519Kbps LinkDnBandwidth>=64584Kbps "
        f"TransportInfo: <{transport_info}>]}}}}\n"
    )


def telephony_registry(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys telephony.registry``: a block per SIM slot; the first one carries calls and data."""
    others = enumerate(state.build.sims[1:], start=1)
    return "last known state:\n" + _first_slot(state) + "".join(_idle_slot(state, *slot) for slot in others)


def _idle_slot(state: PhoneState, number: int, sim: Sim) -> str:
    service = "3(POWER_OFF)" if state.network.airplane else "0(IN_SERVICE)"
    operator = "null" if state.network.airplane else sim.operator
    return (
        f"  Phone Id={number}\n    mCallState=0\n    mRingingCallState=0\n    mForegroundCallState=0\n"
        "    mBackgroundCallState=0\n    mCallIncomingNumber=\n"
        f"    mServiceState={{mVoiceRegState={service}, mDataRegState={service}, mChannelNumber=1650, "
        f"mOperatorAlphaLong={operator}, mOperatorAlphaShort={operator}, getRilDataRadioTechnology=14(LTE)}}\n"
        "    mUserMobileDataState= false\n    mDataActivity=0\n    mDataConnectionState=0\n"
    )


def _first_slot(state: PhoneState) -> str:
    calls, network = state.calls, state.network
    ringing = calls.current.number if calls.current and calls.current.state == "ringing" else ""
    in_service = not network.airplane
    service = "0(IN_SERVICE)" if in_service else "3(POWER_OFF)"
    return (
        "  Phone Id=0\n"
        f"    mCallState={calls.number_state}\n"
        f"    mRingingCallState={5 if calls.number_state == 1 else 0}\n"
        f"    mForegroundCallState={1 if calls.number_state == 2 else 0}\n"
        "    mBackgroundCallState=0\n"
        f"    mCallIncomingNumber={ringing}\n"
        f"    mServiceState={{mVoiceRegState={service}, mDataRegState={service}, mChannelNumber=3050, "
        f"mOperatorAlphaLong={network.operator if in_service else 'null'}, "
        f"mOperatorAlphaShort={network.operator if in_service else 'null'}, getRilDataRadioTechnology=14(LTE)}}\n"
        f"    mUserMobileDataState= {_bool(network.mobile_data)}\n"
        "    mSignalStrength=SignalStrength:{mLte=CellSignalStrengthLte: rssi=-75 rsrp=-104 rsrq=-11 rssnr=11 "
        f"level={network.signal},primary=CellSignalStrengthLte}}\n"
        "    mMessageWaiting=false\n"
        "    mDataActivity=0\n"
        f"    mDataConnectionState={2 if network.mobile_connected else 0}\n"
    )


def telecom(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys telecom``: calls as CallsManager lists them (capture: oplus-a15)."""
    call = state.calls.current
    shown = ""
    if call is not None:
        word = "RINGING" if call.state == "ringing" else "ACTIVE"
        service = "com.android.phone/com.android.services.telephony.TelephonyConnectionService"
        shown = f"    [Call id=TC@1, state={word}, tpac=ComponentInfo{{{service}}}, ***, UserHandle{{0}}], voip=false\n"
    return f"CallsManager: \n  mCalls: \n{shown}  mCallAudioManager:\n    All calls:\n{'      TC@1' if call else ''}\n"


def bluetooth_manager(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys bluetooth_manager``."""
    adapter = state.bluetooth
    word = "ON" if adapter.enabled else "OFF"
    connected = any(device.connected for device in adapter.devices)
    bonded = "".join(f"    {device.address} [BR/EDR] {device.name}\n" for device in adapter.devices)
    # Sound goes to any connected device: the virtual phone has none that is paired for data only.
    active = next((device.address for device in adapter.devices if device.connected), "null")
    properties = (
        "\n\nAdapterProperties\n"
        f"  Name: {adapter.name}\n"
        f"  Address: {adapter.address}\n"
        "  BluetoothClass: null\n"
        "  ScanMode: SCAN_MODE_CONNECTABLE\n"
        f"  ConnectionState: {'STATE_CONNECTED' if connected else 'STATE_DISCONNECTED'}\n"
        f"  State: {word}\n"
        "  MaxConnectedAudioDevices: 5\n"
        "  Discovering: false\n"
        f"  Bonded devices:\n{bonded}"
        f"\nProfile: A2dpService\n  mActiveDevice: {active}\n"
    )
    return (
        "Bluetooth Status\n"
        f"  enabled: {_bool(adapter.enabled)}\n"
        f"  state: {word}\n"
        f"  address: {adapter.address}\n"
        f"  name: {adapter.name}\n"
        + ("  time since enabled: 02:46:10.138\n" if adapter.enabled else "")
        + "\nBluetooth crashed 0 times\n"
        + (properties if adapter.enabled else "")
    )


def location(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys location``."""
    place = state.location
    fix = "null"
    if place.enabled:
        age = duration(state.clock.uptime())
        point = f"{place.latitude:.6f},{place.longitude:.6f}"
        fix = f"Location[fused {point} hAcc={place.accuracy} et={age} alt=12.0 vAcc=3.0]"
    return (
        "Location Manager State:\n"
        "  User Info: running=[0]\n    current user: 0\n  Location Settings:\n"
        f"    Location Setting: {_bool(place.enabled)}\n"
        "  Location Providers:\n"
        "    fused provider:\n"
        f"      last location={fix}\n"
        f"      last coarse location={fix}\n"
        f"      enabled={_bool(place.enabled)}\n"
    )


def nfc(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys nfc``."""
    return f"mState={'on' if state.network.nfc else 'off'}\nmAlwaysOnState=off\n"
