"""KnowU-Bench's Android controller and its helpers, from the folder of oracles; the phone is an emulator to them."""

import os
from pathlib import Path

from bench.clients.call import Call, Client, done, refused, returned, shown, told
from bench.clients.phone import CONTACTS, SETTINGS, content, is_front
from bench.environment import ROOT
from virtual_phone import PhoneState

SOURCE = Path(os.environ.get("HEED_SHARED", ROOT.parent / "shared")) / "oracles" / "knowu" / "src"
_START = """
import os
from loguru import logger
logger.remove()
from knowu_bench.runtime.controller import AndroidController
from knowu_bench.runtime.app_helpers import system
phone = AndroidController(serial)
open(folder + "/up.txt", "w").write("via knowu")
def said(answer):
    return [answer.success, answer.output.strip() or answer.error.strip()]
"""
_ALICE = "+86 138 0013 8000"


def _star(state: PhoneState) -> None:
    state.contacts.raw[0].starred = True


def _location(state: PhoneState) -> tuple[float, float]:
    return round(state.location.latitude, 3), round(state.location.longitude, 3)


CLIENT = Client(
    "KnowU-Bench", "0dd7989", "python",
    ("loguru==0.7.3", "backoff==2.2.1", "pytz==2026.2", "imagehash==4.3.2", "markdownify==1.2.3", "pillow", "requests",
     "pydantic"),
    _START,
    (
        Call("[phone.width, phone.height]", shown(lambda state: [state.display.width, state.display.height])),
        Call("phone.check_health()", returned(True)),
        Call("open(phone.get_screenshot('a', folder).output, 'rb').read(8)", returned("\x89PNG\r\n\x1a\n")),
        Call("'Contacts' in open(phone.get_xml('a', folder)).read()", returned(True)),
        Call("phone.get_current_activity()", shown(lambda state: state.apps.foreground.package)),
        Call("phone.get_current_app()", returned("nexuslauncher")),
        Call("said(phone.tap(X, Y))", done(is_front(CONTACTS)), where="Contacts"),
        Call("said(phone.back())", done(is_front())),
        Call("said(phone.double_tap(540, 1200))", returned([True, ""])),
        Call("said(phone.long_press(540, 1200))", returned([True, ""])),
        Call("said(phone.launch_app('settings'))[0]", done(is_front(SETTINGS))),
        Call("said(phone.kill_package('com.android.settings'))",
             done(lambda state: SETTINGS not in state.apps.running())),
        # Its own answer for an unknown app does not fit its model.
        Call("phone.launch_app('nothing at all')", refused("ValidationError")),
        Call("said(phone.home())", done(is_front())),
        Call("said(phone.app_switch())", done(lambda state: state.panel == "recents")),
        Call("said(phone.home())", done(lambda state: not state.panel)),
        Call("said(phone.drag(540, 5, 540, 1500))", done(lambda state: state.panel == "shade")),
        Call("said(phone.back())", done(lambda state: not state.panel)),
        Call("[said(phone.swipe(None, None, way))[0] for way in ('up', 'down', 'left', 'right')]",
             returned([True] * 4)),
        Call("said(phone.swipe(None, None, 'in'))[0]", returned(False)),
        # ADBKeyboard is not installed: the broadcast reaches nobody.
        Call("said(phone.text('Zoe'))[1]", told("Broadcast completed: result=0")),
        Call("phone.activate_adb_keyboard()", done(lambda state: "adbkeyboard" not in state.keyboard.current)),
        Call("said(phone.enter())", returned([True, ""])),
        Call("said(phone.simulate_sms('10086', 'Your code is 1'))",
             done(lambda state: state.messages.stored[-1].body == "Your code is 1")),
        Call("said(phone.simulate_sms(None, None))[0]", returned(False)),
        Call("said(phone.set_geo_location(48.137, 11.575))",
             done(lambda state: _location(state) == (48.137, 11.575))),
        Call("phone.create_snapshot('before')", returned("before")),
        Call("said(phone.set_geo_location(1.0, 2.0))", done(lambda state: _location(state) == (1.0, 2.0))),
        Call("any('before' in line for line in phone.list_snapshots())", returned(True)),
        Call("phone.load_snapshot('before')",
             lambda got, phone: got is True and _location(phone.state) == (48.137, 11.575)),
        Call("phone.delete_snapshot('before')", returned(True)),
        Call("phone.load_snapshot('before')", returned(False)),
        Call("said(phone.push_file(folder + '/up.txt', '/sdcard/up.txt'))",
             done(content("/sdcard/up.txt", b"via knowu"))),
        Call("open(phone.pull_file('/sdcard/up.txt', folder + '/down.txt').output).read()", returned("via knowu")),
        Call("said(phone.pull_file('/sdcard/none', folder + '/none'))[0]", returned(False)),
        Call("said(phone.refresh_media_scan('/sdcard/up.txt'))[0]", returned(True)),
        Call("'up.txt' in system.get_file_list('/sdcard')", returned(True)),
        Call("said(phone.remove_file('/sdcard/up.txt'))",
             done(lambda state: state.files.stat("/sdcard/up.txt") is None)),
        Call("said(phone.remove_file('/sdcard/up.txt'))[0]", returned(False)),
        Call("said(system.set_flight_mode(phone, True))", done(lambda state: state.network.airplane)),
        Call("system.get_flight_mode_status(phone)", returned(True)),
        Call("said(system.set_flight_mode(phone, False))",
             done(lambda state: not state.network.airplane and state.bluetooth.enabled)),
        Call("system.get_flight_mode_status(phone)", returned(False)),
        Call("system.get_font_scale(phone)", returned(1.0)),
        Call("system.get_display_density(phone)", shown(lambda state: state.display.density)),
        Call("system.get_screen_brightness(phone)",
             shown(lambda state: int(state.settings.get("system", "screen_brightness") or 0))),
        Call("system.enable_auto_time_sync(phone)",
             done(lambda state: state.settings.get("global", "auto_time") == "1")),
        # A user build has no su.
        Call("system.time_sync_to_now()", returned(False)),
        Call("system.check_alarm_via_adb(phone, 7, 0)", returned(None)),
        Call("system.reset_chrome(phone)", done(lambda state: "com.android.chrome" not in state.apps.running())),
        Call("system.reset_maps(phone)", returned(None)),
        Call("len(system.get_sms_list_via_adb(phone)) > 2", returned(True)),
        Call("'Your code is 1' in str(system.get_sms_list_via_adb(phone))", returned(True)),
        # These two ask for root first, and adbd of a user build refuses.
        Call("system.check_sms_via_adb(phone, '10086', 'Hello')", returned(False)),
        Call("system.get_sent_sms_body_via_adb(phone, '10086')", returned(None)),
        Call("[one['display_name'] for one in system.get_contacts_via_adb(phone, name='Alice')]",
             returned(["Alice Chen"])),
        Call(f"[one['phones'][0]['number'] for one in system.get_contacts_via_adb(phone, phone_number='{_ALICE}')]",
             returned([_ALICE])),
        Call("system.get_contacts_via_adb(phone, name='Nobody')", lambda got, phone: not got),
        Call(f"system.check_contact_starred_via_adb(phone, '{_ALICE}')", returned(False)),
        Call(f"system.check_contact_starred_via_adb(phone, '{_ALICE}')", returned(True), before=_star),
    ),
    variables={"PYTHONPATH": str(SOURCE)},
    source=SOURCE,
    emulator=True,
)  # fmt: skip
