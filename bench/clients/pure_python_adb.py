"""pure-python-adb: the adb server's protocol in Python."""

from bench.clients.call import Call, Client, done, refused, returned, shown, shows
from bench.clients.phone import CONTACTS, INSTALLED, INSTALLED_FILE, content, installed, is_front, packages

_START = f"""
import os
from ppadb.client import Client
client = Client("127.0.0.1", server_port)
device = client.device(serial)
{INSTALLED_FILE}
open(folder + "/up.txt", "w").write("via ppadb")
"""

CLIENT = Client(
    "pure-python-adb", "0.3.0.dev0", "python", ("pure-python-adb==0.3.0.dev0",), _START,
    (
        Call("client.version()", returned(41)),
        Call("[one.serial == serial for one in client.devices()]", returned([True])),
        Call("'shell_v2' in client.features()", returned(True)),
        Call("device.get_state()", returned("device")),
        Call("device.get_serial_no() == serial", returned(True)),
        Call("device.shell('echo a b; echo c >&2')", returned("a b\nc\n")),
        Call("device.get_properties()['ro.product.model']", shown(lambda state: state.identity.model)),
        Call("sorted(device.list_packages())", shown(packages)),
        Call("device.list_features()['android.hardware.bluetooth']", returned(True)),
        Call("device.wait_boot_complete()", returned(True)),
        Call("device.wm_size()", shown(lambda state: [state.display.width, state.display.height])),
        Call("device.wm_density()", shown(lambda state: state.display.density // 160)),
        Call("device.get_battery_level()", shown(lambda state: state.battery.level)),
        Call("device.push(folder + '/up.txt', '/sdcard/up.txt')", done(content("/sdcard/up.txt", b"via ppadb"))),
        Call("device.pull('/sdcard/up.txt', folder + '/down.txt') or open(folder + '/down.txt').read()",
             returned("via ppadb")),
        Call("device.install(folder + '/com.installed.tool.apk')", done(installed(True))),
        Call(f"device.is_installed('{INSTALLED}')", returned(True)),
        Call(f"device.uninstall('{INSTALLED}')", done(installed(False))),
        Call(f"device.is_installed('{INSTALLED}')", returned(False)),
        Call("device.input_tap(X, Y)", done(is_front(CONTACTS)), where="Contacts"),
        Call("device.get_top_activity().package", returned(CONTACTS)),
        Call(f"device.get_pid('{CONTACTS}')", shown(lambda state: str(state.apps.pid(CONTACTS)))),
        # It looks for userId=; newer phones print appId= (captures: dumpsys-package).
        Call(f"device.get_uid('{CONTACTS}')", returned(None)),
        Call(f"device.get_package_version_name('{CONTACTS}')",
             shown(lambda state: getattr(state.apps.find(CONTACTS), "version_name", ""))),
        Call("device.input_keyevent(3)", done(lambda state: "launcher" in state.apps.foreground.package)),
        Call("device.input_swipe(540, 2000, 540, 400, 300)", done(lambda state: state.apps.foreground.fields)),
        Call("device.input_tap(X, Y)", shows("Name"), before=lambda state: state.apps.open(CONTACTS),
             where="Create contact"),
        Call("device.input_tap(X, Y)", done(lambda state: state.apps.foreground.focus), where="Name"),
        Call("device.input_text('Zoe')", done(lambda state: "Zoe" in state.apps.foreground.fields.values())),
        Call("device.screencap()[:8]", returned("\x89PNG\r\n\x1a\n")),
        Call("device.cpu_count()", returned(9)),
        Call("device.get_total_cpu().user > 0", returned(True)),
        Call("device.forward('tcp:6100', 'tcp:7100')", returned(None)),
        Call("device.list_forward()", returned({"tcp:6100": "tcp:7100"})),
        Call("device.killforward_all() or device.list_forward()", returned({})),
        Call("device.reverse('tcp:7200', 'tcp:6200')", refused("")),
        Call("device.root()", refused("adbd cannot run as root in production builds")),
        Call(f"device.clear('{CONTACTS}')", done(lambda state: CONTACTS not in state.apps.running())),
    ),
)  # fmt: skip
