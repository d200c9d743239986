"""androidviewclient: AdbClient, ViewClient and culebra."""

from bench.clients.call import Call, Client, done, refused, returned, shown, shows, told
from bench.clients.phone import CONTACTS, SETTINGS, is_front, typed
from virtual_phone import PhoneState

_START = """
import warnings
warnings.simplefilter("ignore")
from com.dtmilano.android.adb.adbclient import AdbClient
from com.dtmilano.android.viewclient import ViewClient
device = AdbClient(serial, port=server_port)
"""


def _sleep(state: PhoneState) -> None:
    state.power.sleep()


def _unlocked(state: PhoneState) -> None:
    state.power.wake()
    state.power.unlock()


CLIENT = Client(
    "androidviewclient", "25.0.1", "python", ("androidviewclient==25.0.1",), _START,
    (
        Call("[one.serialno == serial and one.status for one in AdbClient(serial, port=server_port).getDevices()]",
             returned(["device"])),
        Call("AdbClient(serial, port=server_port).checkVersion()", returned(None)),
        Call("device.shell('echo a')", returned("a\n")),
        Call("device.getSdkVersion()", shown(lambda state: state.identity.sdk)),
        Call("device.getProperty('ro.product.model')", shown(lambda state: state.identity.model)),
        Call("device.getPhysicalDisplayInfo()", shown(lambda state: {
            "width": state.display.width, "height": state.display.height, "density": float(state.display.density)})),
        Call("device.getLogicalDisplayInfo()", shown(lambda state: {
            "width": state.display.width, "height": state.display.height, "orientation": 0,
            "density": state.display.density / 160})),
        Call("device.getProperty('display.orientation')", returned(0)),
        # mRestrictedScreen is in no capture since Android 9 (emulator-api28).
        Call("device.getRestrictedScreen()", refused("Couldn't find mRestrictedScreen")),
        Call("device.isLocked()", returned(False)),
        Call("device.isScreenOn()", returned(True)),
        Call("device.isScreenOn()", returned(False), before=_sleep),
        Call("device.wake()", done(lambda state: state.power.wakefulness == "Awake")),
        Call("device.startActivity(component='com.android.settings/.Settings')", done(is_front(SETTINGS)),
             before=_unlocked),
        Call("device.resolveActivity('com.google.android.contacts')", told(CONTACTS)),
        Call("device.startActivity(package='com.google.android.contacts')", done(is_front(CONTACTS))),
        Call("device.startActivity(component='com.example/.None')", refused("does not exist")),
        Call("device.getTopActivityName()", told(f"{CONTACTS}/")),
        # It looks for mCurrentFocus, not in `dumpsys window windows` since Android 11 (emulator-api30).
        Call("device.getFocusedWindowName()", returned(None)),
        Call("device.takeSnapshot(reconnect=True).size",
             shown(lambda state: [state.display.width, state.display.height])),
        Call("device.touch(X, Y)", shows("Name"), where="Create contact"),
        Call("device.touch(X, Y)", done(lambda state: state.apps.foreground.focus), where="Name"),
        Call("device.isKeyboardShown()", returned(True)),
        Call("device.type('Zoe B')", done(typed("Zoe B"))),
        Call("device.press('KEYCODE_HOME')", done(is_front())),
        Call("device.isKeyboardShown()", returned(False)),
        Call("device.drag((540, 5), (540, 1500), 300)", done(lambda state: state.panel == "shade")),
        Call("device.press('BACK')", done(lambda state: not state.panel)),
        Call("device.log('avc', 'seen')", lambda got, phone: any(
            entry.tag == "avc" and "seen" in entry.message for entry in phone.state.log.entries(frozenset(["main"])))),
        Call("device.forceStop('com.google.android.contacts')",
             done(lambda state: CONTACTS not in state.apps.running())),
        # It reads the first line of `dumpsys wifi`, which is about logging (captures: xiaomi-pad6-hyperos2-a14).
        Call("device.getSystemService(b'wifi').getWifiState()", returned(4)),
        Call("[bool(ViewClient(device, serial, useuiautomatorhelper=False).findViewWithText('Contacts'))]",
             returned([True])),
        Call("len(ViewClient(device, serial, autodump=False).dump()) > 10", returned(True)),
        Call("ViewClient(device, serial).findViewWithTextOrRaise('Contacts').touch()", done(is_front(CONTACTS))),
    ),
)  # fmt: skip
