"""airtest: its class ADB, which starts the adb binary for every command."""

from bench.clients.call import Call, Client, done, refused, returned, shown, shows, told
from bench.clients.phone import (
    CONTACTS,
    INSTALLED_FILE,
    SETTINGS,
    STREAMED,
    content,
    installed,
    is_front,
    packages,
    typed,
)
from virtual_phone import PhoneState

_START = f"""
import warnings
warnings.simplefilter("ignore")
from airtest.core.android.adb import ADB
device = ADB(serialno=serial, adb_path=adb, server_addr=("127.0.0.1", server_port))
{INSTALLED_FILE}
open(folder + "/up.txt", "w").write("via airtest")
"""


def _third_party(state: PhoneState) -> list[str]:
    return sorted(entry.package for entry in state.apps.packages if not entry.system)


CLIENT = Client(
    "airtest", "1.4.3", "python", ("airtest==1.4.3",), _START,
    (
        Call("[entry for entry in device.devices() if entry[0] == serial][0][1]", returned("device")),
        Call("device.get_status()", returned("device")),
        Call("device.wait_for_device()", returned(None)),
        Call("device.shell('echo a b')", returned("a b\n")),
        Call("device.shell('exit 3')", refused("AdbShellError")),
        Call("device.getprop('ro.product.model')", shown(lambda state: state.identity.model)),
        Call("device.sdk_version", shown(lambda state: state.identity.sdk)),
        Call("device.push(folder + '/up.txt', '/sdcard/up.txt')", done(content("/sdcard/up.txt", b"via airtest"))),
        Call("device.exists_file('/sdcard/up.txt')", returned(True)),
        Call("device.exists_file('/sdcard/none.txt')", returned(False)),
        Call("device.file_size('/sdcard/up.txt')", returned(11)),
        Call("device.pull('/sdcard/up.txt', folder + '/down.txt') or open(folder + '/down.txt').read()",
             returned("via airtest")),
        Call("device.forward('tcp:6111', 'tcp:7111') or device.get_forwards()", lambda got, phone: any(
            "tcp:6111" in str(entry) and "tcp:7111" in str(entry) for entry in list(got))),
        Call("device.remove_forward('tcp:6111') or list(device.get_forwards())",
             lambda got, phone: "6111" not in str(got)),
        Call("device.install_app(folder + '/com.installed.tool.apk')", done(installed(True, STREAMED))),
        Call(f"device.check_app('{STREAMED}')", returned(True)),
        Call(f"device.path_app('{STREAMED}')", told(STREAMED)),
        Call(f"device.get_package_version('{STREAMED}')",
             shown(lambda state: getattr(state.apps.find(STREAMED), "version_code", 0))),
        Call(f"device.pm_uninstall('{STREAMED}')", done(installed(False, STREAMED))),
        Call("device.check_app('com.example.none')", refused("not found")),
        Call("device.path_app('com.example.none')", refused("package not found")),
        Call("sorted(device.list_app())", shown(packages)),
        Call("sorted(device.list_app(third_only=True))", shown(_third_party)),
        Call("device.snapshot()[:8]", returned("\x89PNG\r\n\x1a\n")),
        Call("device.start_app('com.google.android.contacts')", done(is_front(CONTACTS))),
        Call("device.get_top_activity()[0]", returned(CONTACTS)),
        Call("device.touch((X, Y))", shows("Name"), where="Create contact"),
        Call("device.touch((X, Y))", done(lambda state: state.apps.foreground.focus), where="Name"),
        Call("device.is_keyboard_shown()", returned(True)),
        Call("device.text('Zoe')", done(typed("Zoe"))),
        Call("device.text(' 2b')", done(typed("Zoe 2b"))),
        Call("device.keyevent('HOME')", done(is_front())),
        Call("device.swipe((540, 5), (540, 1500))", done(lambda state: state.panel == "shade")),
        Call("device.keyevent('BACK')", done(lambda state: not state.panel)),
        Call("device.start_app('com.example.none')", refused("No activities found to run")),
        Call("device.start_app_timing('com.android.settings', '.Settings') >= 0", done(is_front(SETTINGS))),
        Call("device.stop_app('com.android.settings')", done(lambda state: SETTINGS not in state.apps.running())),
        Call("device.clear_app('com.google.android.contacts')",
             done(lambda state: CONTACTS not in state.apps.running())),
        Call("device.is_screenon()", returned(True)),
        Call("device.is_locked()", returned(False)),
        Call("device.is_screenon()", returned(False), before=lambda state: state.power.sleep()),
        Call("device.is_locked()", returned(True)),
        Call("device.keyevent('WAKEUP')", done(lambda state: state.power.wakefulness == "Awake")),
        Call("device.unlock()", done(lambda state: not state.power.locked)),
        Call("device.getPhysicalDisplayInfo()", shown(lambda state: {
            "width": state.display.width, "height": state.display.height, "density": state.display.density / 160})),
        Call("device.getDisplayOrientation()", returned(0)),
        Call("device.getMaxXY()", shown(lambda state: list(state.touchscreen.limits))),
        Call("device.getRestrictedScreen()", returned(None)),  # not in captures since Android 9
        Call("device.get_ip_address()", returned("192.168.1.54")),
        Call("device.get_gateway_address()", told("192.168.")),
        Call("device.get_memory()", told("G")),
        Call("device.get_storage()", returned("128G")),
        # It looks for the line Hardware, which Linux does not print for 64-bit Arm (arch/arm64/kernel/cpuinfo.c).
        Call("device.get_cpuinfo()", refused("NoneType")),
        Call("device.get_cpufreq()", told("GHz")),
        Call("device.get_cpuabi()", shown(lambda state: state.identity.all_properties()["ro.product.cpu.abi"])),
        Call("device.get_gpu()['opengl']", told("OpenGL ES 3.2")),
        Call("device.get_model()", shown(lambda state: state.identity.model)),
        Call("device.get_manufacturer()", shown(lambda state: state.identity.manufacturer)),
        Call("sorted(key for key, value in device.get_device_info().items() if value is None)", returned(["cpuinfo"])),
        Call("next(device.logcat(read_timeout=10))", told("")),
        Call("device.display_info['rotation']", returned(0)),
    ),
)  # fmt: skip
