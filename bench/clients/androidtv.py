"""androidtv: what Home Assistant drives Android TV and Fire TV with, over the adb server."""

from bench.clients.call import Call, Client, done, returned, shown
from bench.clients.phone import CONTACTS, SETTINGS, content, is_front, packages
from virtual_phone import PhoneState

_START = """
from androidtv.androidtv.androidtv_sync import AndroidTVSync
host, _, port = serial.partition(":")
tv = AndroidTVSync(host, int(port), adb_server_ip="127.0.0.1", adb_server_port=server_port)
open(folder + "/up.txt", "w").write("via androidtv")
"""
MUSIC = "com.google.android.apps.youtube.music"
_STREAM = 3
"""The stream of music."""


def _plays(state: PhoneState) -> None:
    state.apps.open(MUSIC)
    state.audio.play(MUSIC, "Blue in Green", "Miles Davis")


def _volume(state: PhoneState) -> int:
    return state.audio.volumes[_STREAM]


CLIENT = Client(
    "androidtv", "0.0.75", "python", ("androidtv[async]==0.0.75",), _START,
    (
        Call("tv.adb_connect()", returned(True)),
        Call("tv.get_device_properties()", lambda got, phone: [
            got["manufacturer"], got["model"], got["serialno"], got["sw_version"], got["product_id"], got["ethmac"],
        ] == [phone.state.identity.manufacturer, phone.state.identity.model, phone.state.identity.serial,
              phone.state.identity.release, phone.state.identity.device, None] and got["wifimac"]),
        Call("sorted(tv.get_installed_apps())", shown(packages)),
        Call("tv.screen_on()", returned(True)),
        Call("tv.awake()", returned(True)),
        Call("tv.wake_lock_size() >= 0", returned(True)),
        Call("list(tv.screen_on_awake_wake_lock_size())[:2]", returned([True, True])),
        Call("tv.turn_off()", done(lambda state: state.power.wakefulness != "Awake")),
        Call("[tv.screen_on(), tv.awake()]", returned([False, False])),
        Call("tv.update()[0]", returned("off")),
        Call("tv.turn_on()", done(lambda state: state.power.wakefulness == "Awake")),
        Call("tv.adb_shell('wm dismiss-keyguard')", done(lambda state: not state.power.locked)),
        Call("tv.launch_app('com.google.android.contacts')", done(is_front(CONTACTS))),
        Call("tv.current_app().strip()", shown(lambda state: state.apps.foreground.package)),
        Call("sorted(tv.running_apps())", lambda got, phone: CONTACTS in got),
        Call("tv.stop_app('com.google.android.contacts')", done(lambda state: CONTACTS not in state.apps.running())),
        Call("tv.start_intent('https://example.org/a')",
             done(lambda state: state.apps.foreground.intent.data == "https://example.org/a")),
        Call("tv.home()", done(is_front())),
        Call("tv.audio_state()", returned("idle")),
        # It looks for state=3; all captures of dumpsys-media_session have state=PLAYING(3).
        Call("tv.current_app_media_session_state()", returned([MUSIC, None]), before=_plays),
        Call("tv.media_session_state()", returned(None)),
        Call("tv.update()[:2]", returned(["playing", MUSIC])),
        Call("tv.media_pause()", done(lambda state: state.audio.session and not state.audio.session.playing)),
        Call("tv.update()[0]", returned("paused")),
        Call("tv.media_play()", done(lambda state: state.audio.session and state.audio.session.playing)),
        Call("tv.media_next_track()", returned(None)),
        Call("tv.volume()", shown(_volume)),
        Call("tv.volume_level()", shown(lambda state: _volume(state) / 25)),
        Call("tv.is_volume_muted()", returned(False)),
        Call("tv.audio_output_device()", returned("speaker")),
        Call("tv.set_volume_level(0.4)", done(lambda state: _volume(state) == 10)),
        Call("tv.volume_up()", done(lambda state: _volume(state) == 11)),
        Call("tv.volume_down()", done(lambda state: _volume(state) == 10)),
        # A phone has no television input.
        Call("tv.get_hdmi_input()", returned("Can't find service: tv_input")),
        Call("tv.adb_push(folder + '/up.txt', '/sdcard/up.txt')", done(content("/sdcard/up.txt", b"via androidtv"))),
        Call("tv.adb_pull(folder + '/down.txt', '/sdcard/up.txt') or open(folder + '/down.txt').read()",
             returned("via androidtv")),
        Call("tv.adb_screencap()[:8]", returned("\x89PNG\r\n\x1a\n")),
        Call("tv.launch_app('com.android.settings')", done(is_front(SETTINGS))),
        Call("tv.back()", done(lambda state: state.apps.foreground.package != SETTINGS)),
    ),
)  # fmt: skip
