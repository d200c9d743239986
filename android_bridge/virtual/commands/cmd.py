"""``cmd SERVICE …``: the services' own shell commands."""

from collections.abc import Sequence

from android_bridge.virtual.commands import am, pm, settings, system
from android_bridge.virtual.shell.call import Answer, Call, Program, Reply
from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.audio import STREAMS, Ringer
from android_bridge.virtual.state.dnd import Mode

SHELL_APP = "com.android.shell"
SHELL_NOTIFICATION_ID = 2020
_DND_WORDS: dict[str, Mode] = {
    "on": "none", "none": "none", "priority": "priority", "alarms": "alarms", "off": "off", "all": "off",
}  # fmt: skip
_NOTIFICATION_USAGE = """usage: cmd notification SUBCMD [args]

SUBCMDs:
  list
  get <key>
  set_dnd [on|none (same as none)|priority|alarms|all|off (same as all)]
  post [--help | flags] TAG TEXT
  snooze --for <msec> <notification-key>
  unsnooze <notification-key>
"""


def power(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd power set-mode 0|1``: Android keeps the saver off while charging and says nothing."""
    if list(args[:1]) == ["set-mode"] and len(args) == 2:
        if args[1] not in ("0", "1"):
            return Reply(
                stderr="Error: Mode must be either 0 or 1\n" if args[1].isdigit() else "Error: Bad mode\n", status=255
            )
        state.power.set_saver(args[1] == "1")
        return Reply()
    return Reply("Power manager (power) commands:\n  set-mode MODE\n", status=255)


def notification(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd notification`` (AOSP NotificationShellCmd.java)."""
    verb, rest = (args[0] if args else ""), list(args[1:])
    if verb == "list":
        return Reply("".join(f"{note.key}\n" for note in state.notifications.visible()))
    if verb == "get" and rest:
        note = state.notifications.find(rest[0])
        return Reply(f"{note.title}: {note.text}\n" if note else f"Notification {rest[0]} not found\n")
    if verb in ("set_dnd", "dnd") and rest:
        if rest[0] not in _DND_WORDS:
            return Reply(stderr="Invalid DND mode\n", status=255)
        state.dnd.set(_DND_WORDS[rest[0]])
        return Reply()
    if verb in ("post", "notify"):
        return _post(state, rest)
    if verb == "snooze" and len(rest) == 3 and rest[0] in ("--for", "-f"):
        done = state.notifications.snooze(rest[2], int(rest[1]))
        return Reply(f"snoozing <{rest[2]}> until time: {rest[1]}\n" if done else f"Unable to snooze {rest[2]}\n")
    if verb == "unsnooze" and rest:
        note = state.notifications.find(rest[0])
        if note is not None:
            note.snoozed_until = None
            state.changed()
        return Reply()
    return Reply(_NOTIFICATION_USAGE, status=255)


_POST_VALUES = {"-t", "--title", "-i", "--icon", "-I", "--large-icon", "-S", "--style", "--bigtext", "--picture",
                "--line", "--conversation", "--message"}  # fmt: skip


def _post(state: PhoneState, args: list[str]) -> Reply:
    """``post [flags] TAG TEXT``; with ``-c`` the next words up to TAG make the tap's intent."""
    title, big_text, tap = "", None, {}
    words = list(args)
    while words and words[0].startswith("-"):
        flag = words.pop(0)
        if flag in _POST_VALUES:
            value = words.pop(0) if words else ""
            title = value if flag in ("-t", "--title") else title
            big_text = value if flag == "--bigtext" else big_text
        elif flag in ("-c", "--content-intent"):
            tap = _tap(words)
        elif flag not in ("-v", "--verbose", "-h", "--help"):
            return Reply(_NOTIFICATION_USAGE, status=255)
    if len(words) < 2:
        return Reply(_NOTIFICATION_USAGE, status=255)
    note = state.notifications.post(
        package=SHELL_APP, identifier=SHELL_NOTIFICATION_ID, tag=words[0], channel="shell_cmd", channel_name="Shell command",
        title=title or words[0], text=words[1], big_text=big_text, tap=tap,
    )  # fmt: skip
    return Reply(f"posting:\n  {note.key}\n")


def _tap(words: list[str]) -> dict[str, str]:
    """``activity -a ACTION URI``: takes its words away; a positional URI ends the intent."""
    tap: dict[str, str] = {}
    if words and words[0] in ("activity", "broadcast", "service"):
        words.pop(0)
    names = {"-a": "action", "-d": "data", "-n": "component", "-p": "package", "-t": "mime"}
    while words and words[0] in names:
        name = names[words.pop(0)]
        tap[name] = words.pop(0) if words else ""
    if words:
        # Intent.parseCommandArgs takes one positional word: a URI, a component or a package.
        word = words.pop(0)
        tap["data" if ":" in word else "component" if "/" in word else "package"] = word
    return tap


def uimode(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd uimode night [yes|no|auto]``."""
    if args[:1] == ["night"]:
        if len(args) > 1:
            if args[1] not in ("yes", "no", "auto"):
                return Reply(stderr="Invalid 'night' mode\n", status=255)
            state.display.set_night(args[1])  # type: ignore[arg-type]
        return Reply(f"Night mode: {state.display.night}\n")
    return Reply("UiModeManager service (uimode) commands:\n", status=255)


def wifi(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd wifi status|set-wifi-enabled|connect-network|list-networks|forget-network``."""
    network = state.network
    if args[:1] == ["status"]:
        return Reply(_wifi_status(state))
    if args[:1] == ["set-wifi-enabled"] and args[1:2] and args[1] in ("enabled", "disabled"):
        network.set_wifi(args[1] == "enabled")
        return Reply()
    if args[:1] == ["connect-network"] and len(args) > 2:
        network.join(args[1], args[2])
        return Reply("Connection initiated \n")
    if args[:1] == ["list-networks"]:
        rows = "".join(
            f"{number:<12} {ssid:<32} {kind}^\n" for number, (ssid, kind) in enumerate(network.saved.items())
        )
        return Reply(f"Network Id      SSID                         Security type\n{rows}" if rows else "No networks\n")
    if args[:1] == ["forget-network"] and len(args) > 1:
        names = list(network.saved)
        if not args[1].isdigit() or int(args[1]) >= len(names):
            return Reply("Forget failed with error code: 0\n")
        gone = names[int(args[1])]
        del network.saved[gone]
        if network.ssid == gone:
            network.join("")
        return Reply("Forget successful\n")
    return Reply("Wi-Fi (wifi) commands:\n", status=255)


def _wifi_status(state: PhoneState) -> str:
    network = state.network
    if not network.wifi:
        return "Wifi is disabled\nWifi scanning is only available when wifi is enabled\n"
    begin = (
        "Wifi is enabled\nWifi scanning is only available when wifi is enabled\n"
        "==== ClientModeManager instance: ConcreteClientModeManager{id=408299759 iface=wlan0 role=ROLE_CLIENT_PRIMARY} ====\n"
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


def connectivity(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd connectivity airplane-mode [enable|disable]``."""
    if args[:1] == ["airplane-mode"]:
        if len(args) == 1:
            return Reply("enabled\n" if state.network.airplane else "disabled\n")
        if args[1] in ("enable", "disable"):
            state.network.set_airplane(args[1] == "enable")
            return Reply()
    return Reply("Connectivity service commands:\n", status=255)


def phone(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd phone data enable|disable``."""
    if args[:1] == ["data"] and args[1:2] and args[1] in ("enable", "disable"):
        state.network.set_mobile_data(args[1] == "enable")
        return Reply()
    return Reply("Telephony Commands:\n", status=255)


def location(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd location is-location-enabled|set-location-enabled``."""
    words = [word for word in args if word not in ("--user", "0", "current")]
    if words[:1] == ["is-location-enabled"]:
        return Reply(f"{str(state.location.enabled).lower()}\n")
    if words[:1] == ["set-location-enabled"] and words[1:2] and words[1] in ("true", "false"):
        state.location.set_enabled(words[1] == "true")
        return Reply()
    return Reply("Location service commands:\n", status=255)


def bluetooth(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd bluetooth_manager enable|disable``."""
    if args[:1] and args[0] in ("enable", "disable"):
        state.bluetooth.set_enabled(args[0] == "enable")
        return Reply(f"{args[0]}Bluetooth: Success\n")
    if args[:1] and args[0].startswith("wait-for-state:"):
        return Reply("wait-for-state: Success\n")
    return Reply("Bluetooth Manager Commands:\n", status=255)


def media_session(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd media_session dispatch KEY`` and ``volume --stream N [--get|--set I]``."""
    if args[:1] == ["dispatch"] and len(args) > 1:
        state.audio.dispatch(args[1])
        return Reply()
    if args[:1] == ["volume"]:
        return _volume(state, list(args[1:]))
    return Reply("usage: media_session [subcommand] [options]\n", status=255)


def _volume(state: PhoneState, args: list[str]) -> Reply:
    stream = int(args[args.index("--stream") + 1]) if "--stream" in args[:-1] else 3
    if stream not in STREAMS:
        return Reply(stderr=f"Error: Invalid stream type {stream}\n", status=255)
    said = "[V] will control stream=" + f"{stream} ({STREAMS[stream][0]})\n"
    if "--set" in args[:-1]:
        state.audio.set_volume(stream, int(args[args.index("--set") + 1]))
        said += f"[V] will set volume to index={args[args.index('--set') + 1]}\n"
    if "--get" in args:
        _, low, high = STREAMS[stream]
        said += f"[V] volume is {state.audio.volumes[stream]} in range [{low}..{high}]\n"
    return Reply(said)


def audio(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd audio set-ringer-mode``, ``get-ringer-mode``, ``set-volume``."""
    names: dict[str, Ringer] = {"NORMAL": "normal", "VIBRATE": "vibrate", "SILENT": "silent"}
    if args[:1] == ["set-ringer-mode"] and args[1:2] and args[1].upper() in names:
        state.audio.set_ringer(names[args[1].upper()])
        return Reply()
    if args[:1] == ["get-ringer-mode"]:
        return Reply(f"Ringer mode: {state.audio.ringer.upper()}\n")
    if args[:1] == ["set-volume"] and len(args) == 3 and args[1].isdigit() and int(args[1]) in STREAMS:
        state.audio.set_volume(int(args[1]), int(args[2]))
        return Reply()
    return Reply("Audio manager (audio) commands:\n", status=255)


def display(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd display set-brightness 0..1`` and ``get-displays``."""
    if args[:1] == ["set-brightness"] and len(args) == 2:
        try:
            brightness = float(args[1])
        except ValueError:
            return Reply(stderr="Error: brightness value should be between 0.0 and 1.0\n", status=1)
        state.settings.store("system", "screen_brightness", str(round(max(0.0, min(1.0, brightness)) * 255)))
        return Reply()
    if args[:1] == ["get-displays"]:
        size = f"{state.display.width} x {state.display.height}"
        return Reply(
            f'Displays:\nDisplay id 0: DisplayInfo{{"Built-in Screen", displayId 0, state ON, real {size}}}, isValid=true\n'
        )
    return Reply("Display manager commands:\n", status=255)


def statusbar(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd statusbar expand-notifications|collapse``."""
    if args[:1] and args[0] in ("expand-notifications", "expand-settings", "collapse"):
        state.show_panel("" if args[0] == "collapse" else "shade")
        return Reply()
    return Reply("Status bar (statusbar) commands:\n", status=255)


def appops(state: PhoneState, args: Sequence[str]) -> Reply:
    """``cmd appops get|set|reset`` (kept quiet: nothing on this phone depends on it)."""
    if args[:1] == ["get"]:
        return Reply("No operations.\n")
    return Reply() if args[:1] in (["set"], ["reset"]) else Reply("AppOps service (appops) commands:\n", status=255)


SERVICES: dict[str, Answer] = {
    "power": power, "notification": notification, "uimode": uimode, "wifi": wifi, "connectivity": connectivity,
    "phone": phone, "location": location, "bluetooth_manager": bluetooth, "media_session": media_session, "audio": audio,
    "display": display, "statusbar": statusbar, "appops": appops, "activity": am.am, "settings": settings.settings,
    "window": system.wm, "input_method": system.ime,
}  # fmt: skip
_SILENT = ("clipboard", "jobscheduler", "netpolicy", "role", "overlay", "alarm", "battery", "telecom")
"""Services that exist here but take no shell commands."""


async def cmd(call: Call) -> int:
    """``cmd [-l] [-w] SERVICE …``."""
    args = [word for word in call.args[:1] if word != "-w"] + call.args[1:]
    if args[:1] == ["-l"]:
        await call.out(
            "Currently running services:\n" + "".join(f"  {name}\n" for name in sorted([*SERVICES, "package"]))
        )
        return 0
    if not args:
        return await call.fail("cmd: No service specified; use -l to list all services", 20)
    name, rest = args[0], args[1:]
    if name == "package":
        call.args = rest
        return await pm.pm(call)
    if name in _SILENT:
        return await call.fail("No shell command implementation.", 255)
    if name not in SERVICES:
        return await call.fail(f"cmd: Can't find service: {name}", 20)
    reply = SERVICES[name](call.state, rest)
    await call.out(reply.stdout)
    await call.err(reply.stderr)
    return reply.status


async def appops_program(call: Call) -> int:
    """``appops …`` is ``cmd appops …``."""
    call.args = ["appops", *call.args]
    return await cmd(call)


async def media_program(call: Call) -> int:
    """``media dispatch …`` is ``cmd media_session …``."""
    call.args = ["media_session", *call.args]
    return await cmd(call)


PROGRAMS: dict[str, Program] = {"cmd": cmd, "appops": appops_program, "media": media_program}
