"""Settings, an app's details, and uninstalling."""

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.ui.page import Page
from android_bridge.virtual.ui.tree import Node
from android_bridge.virtual.ui.words import word


def settings(state: PhoneState, activity: Activity) -> Node:
    """The switches of the phone, each a view of its domain."""
    page = Page(state, activity)
    page.bar(word(state, "settings"), back=False)
    on_off = {True: word(state, "on"), False: word(state, "off")}
    network = state.network
    ssid = network.ssid if network.wifi_connected else word(state, "not_connected")
    page.row(word(state, "wifi"), ssid, glyph="wifi", switch=network.wifi,
             tap=lambda state: state.network.set_wifi(not state.network.wifi))  # fmt: skip
    page.row(word(state, "mobile_data"), network.operator, glyph="signal", switch=network.mobile_data,
             tap=lambda state: state.network.set_mobile_data(not state.network.mobile_data))  # fmt: skip
    page.row(word(state, "airplane"), on_off[network.airplane], glyph="plane", switch=network.airplane,
             tap=lambda state: state.network.set_airplane(not state.network.airplane))  # fmt: skip
    devices = ", ".join(device.name for device in state.bluetooth.devices if device.connected)
    page.row(word(state, "bluetooth"), devices or on_off[state.bluetooth.enabled], glyph="bluetooth",
             switch=state.bluetooth.enabled,
             tap=lambda state: state.bluetooth.set_enabled(not state.bluetooth.enabled))  # fmt: skip
    level = word(state, "percent_left", state.battery.level)
    if state.battery.plugged:
        level += f" · {word(state, 'charging')}"
    page.row(word(state, "battery"), level, glyph="battery")
    page.row(word(state, "battery_saver"), on_off[state.power.saver], glyph="bolt", switch=state.power.saver,
             tap=lambda state: state.power.set_saver(not state.power.saver))  # fmt: skip
    page.row(word(state, "dnd"), on_off[state.dnd.mode != "off"], glyph="minus_circle", switch=state.dnd.mode != "off",
             tap=lambda state: state.dnd.set("off" if state.dnd.mode != "off" else "priority"))  # fmt: skip
    page.row(word(state, "dark_theme"), on_off[state.display.dark], glyph="moon", switch=state.display.dark,
             tap=lambda state: state.display.set_night("no" if state.display.dark else "yes"))  # fmt: skip
    brightness = round(state.settings.integer("system", "screen_brightness", 102) / 2.55)
    page.row(word(state, "brightness"), f"{brightness}%", glyph="sun")
    page.row(word(state, "location"), on_off[state.location.enabled], glyph="pin", switch=state.location.enabled,
             tap=lambda state: state.location.set_enabled(not state.location.enabled))  # fmt: skip
    page.row(word(state, "sound"), f"{state.audio.volumes[3]}/25 · {state.audio.ringer}", glyph="volume")
    return page.finish()


def _subject(activity: Activity) -> str:
    return activity.intent.data.partition(":")[2]


def app_info(state: PhoneState, activity: Activity) -> Node:
    """An app's details with Force stop and Uninstall."""
    package = _subject(activity)
    app = state.apps.find(package)
    page = Page(state, activity)
    page.bar(word(state, "app_info"))
    page.row(state.apps.label(package), package, glyph=app.glyph or "app" if app else "app",
             color=app.color if app else "accent")  # fmt: skip
    if app is not None and app.suspended:
        page.text(word(state, "suspended"), ink="faint")
    page.button(word(state, "force_stop"), lambda state: state.apps.force_stop(package), filled=False,
                resource="force_stop_button")  # fmt: skip
    return page.finish()


def uninstall(state: PhoneState, activity: Activity) -> Node:
    """The question before an app is uninstalled."""
    package = _subject(activity)
    page = Page(state, activity)
    page.gap(700)
    page.text(state.apps.label(package), size=54, bold=True)
    page.text(word(state, "are_you_sure"))
    page.button(word(state, "ok"), lambda state: _uninstall(state, package), resource="button1")
    page.button(word(state, "cancel"), lambda state: state.apps.back(), filled=False, resource="button2")
    return page.finish()


def _uninstall(state: PhoneState, package: str) -> None:
    state.apps.back()
    state.apps.uninstall(package)
