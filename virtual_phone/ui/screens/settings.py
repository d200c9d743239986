"""Settings, their pages, and an app's details."""

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.audio import RINGER_NUMBER, STREAMS, Ringer
from virtual_phone.state.intents import Intent
from virtual_phone.ui.page import ScreenPage, Tool, go
from virtual_phone.ui.tree import Action, ViewNode
from virtual_phone.ui.words import word

_TIMEOUTS = (15_000, 30_000, 60_000, 120_000, 300_000)
"""Milliseconds."""
_VOLUMES = ((3, "media_volume"), (2, "ring_volume"), (4, "alarm_volume"), (5, "notification_volume"))


def _on_off(state: PhoneState, on: bool) -> str:
    return word(state, "on" if on else "off")


def settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The main page: switches, and rows that open their pages."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "settings"), back=False)
    _connections(page)
    level = word(state, "percent_left", state.battery.level)
    if state.battery.plugged:
        level += f" · {word(state, 'charging')}"
    page.row(word(state, "battery"), level, glyph="battery", tap=go(".Settings$PowerUsageSummaryActivity"))
    _battery_saver(page)
    page.row(word(state, "dnd"), _on_off(state, state.dnd.mode != "off"), glyph="minus_circle",
             switch=state.dnd.mode != "off",
             tap=lambda state: state.dnd.set("off" if state.dnd.mode != "off" else "priority"))  # fmt: skip
    _dark_theme(page)
    brightness = round(_brightness(state) / 2.55)
    page.row(word(state, "display"), f"{word(state, 'brightness')} {brightness}%", glyph="sun",
             tap=go(".Settings$DisplaySettingsActivity"))  # fmt: skip
    page.row(word(state, "sound"), f"{state.audio.volumes[3]}/25 · {word(state, state.audio.ringer)}", glyph="volume",
             tap=go(".Settings$SoundSettingsActivity"))  # fmt: skip
    page.row(word(state, "location"), _on_off(state, state.location.enabled), glyph="pin",
             switch=state.location.enabled,
             tap=lambda state: state.location.set_enabled(not state.location.enabled))  # fmt: skip
    page.row(word(state, "apps"), word(state, "app_list"), glyph="app", tap=go(".Settings$ManageApplicationsActivity"))
    return page.finish()


def _connections(page: ScreenPage) -> None:
    state = page.state
    _wifi(page, go(".Settings$WifiSettingsActivity"))
    network = state.network
    page.row(word(state, "mobile_data"), network.operator, glyph="signal", switch=network.mobile_data,
             tap=lambda state: state.network.set_mobile_data(not state.network.mobile_data))  # fmt: skip
    page.row(word(state, "airplane"), _on_off(state, network.airplane), glyph="plane", switch=network.airplane,
             tap=lambda state: state.network.set_airplane(not state.network.airplane))  # fmt: skip
    _bluetooth(page, go(".Settings$BluetoothSettingsActivity"))
    page.row(word(state, "hotspot"), _on_off(state, network.hotspot), glyph="signal",
             tap=go(".Settings$TetherSettingsActivity"))  # fmt: skip


def _wifi(page: ScreenPage, tap: Action) -> None:
    state = page.state
    ssid = state.network.ssid if state.network.wifi_connected else word(state, "not_connected")
    page.row(word(state, "wifi"), ssid, glyph="wifi", switch=state.network.wifi, tap=tap, flip=_flip_wifi)


def _flip_wifi(state: PhoneState) -> None:
    state.network.set_wifi(not state.network.wifi)


def _bluetooth(page: ScreenPage, tap: Action) -> None:
    state = page.state
    devices = ", ".join(device.name for device in state.bluetooth.devices if device.connected)
    page.row(word(state, "bluetooth"), devices or _on_off(state, state.bluetooth.enabled), glyph="bluetooth",
             switch=state.bluetooth.enabled, tap=tap, flip=_flip_bluetooth)  # fmt: skip


def _flip_bluetooth(state: PhoneState) -> None:
    state.bluetooth.set_enabled(not state.bluetooth.enabled)


def _battery_saver(page: ScreenPage) -> None:
    state = page.state
    page.row(word(state, "battery_saver"), _on_off(state, state.power.saver), glyph="bolt", switch=state.power.saver,
             tap=lambda state: state.power.set_saver(not state.power.saver))  # fmt: skip


def _dark_theme(page: ScreenPage) -> None:
    state = page.state
    page.row(word(state, "dark_theme"), _on_off(state, state.display.dark), glyph="moon", switch=state.display.dark,
             tap=lambda state: state.display.set_night("no" if state.display.dark else "yes"))  # fmt: skip


def wifi_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The Wi-Fi switch and the known networks; a tap connects."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "wifi"))
    _wifi(page, _flip_wifi)
    page.heading(word(state, "saved_networks"))
    for ssid in state.network.saved:
        joined = state.network.wifi_connected and state.network.ssid == ssid
        tools = [Tool("trash", f"{word(state, 'forget')} {ssid}", _forget(ssid))]
        status = word(state, "connected" if joined else "saved_network")
        page.row(ssid, status, glyph="wifi", bold=joined, tools=tools, tap=_join(ssid), resource="network")
    return page.finish()


def _join(ssid: str) -> Action:
    return lambda state: state.network.join(ssid, state.network.saved[ssid])


def _forget(ssid: str) -> Action:
    return lambda state: state.network.forget(ssid)


def hotspot_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The hotspot page."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "hotspot"))
    page.row(word(state, "hotspot"), state.identity.model, glyph="wifi", switch=state.network.hotspot,
             tap=lambda state: state.network.set_hotspot(not state.network.hotspot))  # fmt: skip
    return page.finish()


def bluetooth_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The Bluetooth switch and the paired devices; a tap connects or disconnects."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "bluetooth"))
    _bluetooth(page, _flip_bluetooth)
    page.heading(word(state, "paired"))
    for device in state.bluetooth.devices:
        status = word(state, "connected" if device.connected else "not_connected")
        page.row(device.name, status, glyph="headphones" if device.audio else "bluetooth", bold=device.connected,
                 tap=_connect(device.name, not device.connected), resource="device")  # fmt: skip
    return page.finish()


def _connect(name: str, connected: bool) -> Action:
    return lambda state: state.bluetooth.connect(name, connected)


def battery_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Battery level and battery saver."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "battery"))
    page.gap(24)
    page.text(f"{state.battery.level}%", size=132, resource="battery_percentage")
    page.text(word(state, "charging" if state.battery.plugged else "not_charging"), ink="faint")
    page.gap(24)
    _battery_saver(page)
    return page.finish()


def _brightness(state: PhoneState) -> int:
    return state.settings.integer("system", "screen_brightness", 102)


def display_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Brightness, dark theme, rotation and screen timeout."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "display"))
    name, level = word(state, "brightness"), _brightness(state)
    page.slider(name, "sun", level / 255, *(
        Tool(glyph, f"{name}: {word(state, label)}", _put("screen_brightness", max(1, min(255, level + step))))
        for glyph, label, step in (("minus", "less_of_it", -25), ("plus", "more_of_it", 25))
    ))  # fmt: skip
    _dark_theme(page)
    rotates = state.settings.integer("system", "accelerometer_rotation", 1) == 1
    page.row(word(state, "auto_rotate"), _on_off(state, rotates), glyph="restore", switch=rotates,
             tap=_put("accelerometer_rotation", 0 if rotates else 1))  # fmt: skip
    timeout = state.settings.integer("system", "screen_off_timeout", 60_000)
    later = next((one for one in _TIMEOUTS if one > timeout), _TIMEOUTS[0])
    page.row(word(state, "screen_timeout"), word(state, "seconds", timeout // 1000), glyph="clock",
             tap=_put("screen_off_timeout", later))  # fmt: skip
    return page.finish()


def _put(key: str, value: int) -> Action:
    return lambda state: state.settings.put("system", key, str(value))


def sound_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Volumes and ringer mode."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "sound"))
    for stream, label in _VOLUMES:
        name, index, (_, low, high) = word(state, label), state.audio.volumes[stream], STREAMS[stream]
        page.slider(name, "volume", (index - low) / (high - low), *(
            Tool(glyph, f"{name}: {word(state, text)}", _volume(stream, index + step))
            for glyph, text, step in (("minus", "less_of_it", -1), ("plus", "more_of_it", 1))
        ))  # fmt: skip
    page.heading(word(state, "ringer"))
    for mode in RINGER_NUMBER:
        chosen = state.audio.ringer == mode
        page.row(
            word(state, mode), glyph="check" if chosen else "bell", bold=chosen, tap=_ring(mode), resource="ringer"
        )
    return page.finish()


def _volume(stream: int, index: int) -> Action:
    return lambda state: state.audio.set_volume(stream, index)


def _ring(mode: Ringer) -> Action:
    return lambda state: state.audio.set_ringer(mode)


def apps_settings(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Every app, by name; a tap shows its details."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "apps"))
    apps = [app for app in state.apps.packages if app.launcher]
    for app in sorted(apps, key=lambda app: state.apps.label(app.package).casefold()):
        page.row(state.apps.label(app.package), glyph=app.glyph or "app", color=app.color, tap=_details(app.package))
    return page.finish()


def _details(package: str) -> Action:
    intent = Intent(action="android.settings.APPLICATION_DETAILS_SETTINGS", data=f"package:{package}")
    return lambda state: state.apps.start(intent)


def _subject(activity: RunningActivity) -> str:
    return activity.intent.data.partition(":")[2]


def app_info(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """An app's details with Force stop and Uninstall."""
    package = _subject(activity)
    app = state.apps.find(package)
    page = ScreenPage(state, activity)
    page.bar(word(state, "app_info"))
    page.row(state.apps.label(package), package, glyph=app.glyph or "app" if app else "app",
             color=app.color if app else "accent")  # fmt: skip
    if app is not None and app.suspended:
        page.text(word(state, "suspended"), ink="faint")
    page.button(word(state, "force_stop"), lambda state: state.apps.force_stop(package), filled=False,
                resource="force_stop_button")  # fmt: skip
    if app is not None and not app.system:
        intent = Intent(action="android.intent.action.DELETE", data=f"package:{package}")
        page.button(word(state, "uninstall"), lambda state: state.apps.start(intent), filled=False, danger=True,
                    resource="uninstall_button")  # fmt: skip
    return page.finish()
