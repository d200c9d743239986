"""mobilerun-core-local: the Android driver of droidrun and mobilerun, without the Portal app."""

from bench.clients.call import Call, Client, done, refused, returned, shown, shows, told
from bench.clients.phone import CONTACTS, INSTALLED_FILE, SETTINGS, is_front, packages, typed
from virtual_phone import PhoneState

_START = f"""
from mobilerun_core_local.driver.android.adb import AndroidDriver
driver = AndroidDriver(serial)
def texts(node):
    found = [node.get("text")] if isinstance(node, dict) and node.get("text") else []
    below = node.get("children", []) if isinstance(node, dict) else node
    return found + [text for child in below for text in texts(child)]
{INSTALLED_FILE}
"""


def _third_party(state: PhoneState) -> list[str]:
    return sorted(entry.package for entry in state.apps.packages if not entry.system)


CLIENT = Client(
    "mobilerun-core-local", "0.7.1", "python", ("mobilerun-core-local==0.7.1",), _START,
    (
        Call("await driver.connect()", returned(None)),
        Call("driver.portal_available", returned(False)),
        Call("await AndroidDriver(serial, portal_mode='required').connect()", refused("Portal is not available")),
        Call("await driver.get_date()", told("2026")),
        Call("sorted(await driver.list_packages())", shown(_third_party)),
        Call("sorted(await driver.list_packages(include_system=True))", shown(packages)),
        Call("sorted(entry['package'] for entry in await driver.get_apps())", shown(packages)),
        Call("(await driver.screenshot())[:8]", returned("\x89PNG\r\n\x1a\n")),
        Call("'Contacts' in texts((await driver.get_ui_tree())['a11y_tree'])", returned(True)),
        Call("await driver.tap(X, Y)", done(is_front(CONTACTS)), where="Contacts"),
        Call("await driver.tap(X, Y)", shows("Name"), where="Create contact"),
        Call("await driver.tap(X, Y)", done(lambda state: state.apps.foreground.focus), where="Name"),
        Call("await driver.input_text('it\\'s $HOME; 50%')", done(typed("it's $HOME; 50%"))),
        Call("await driver.input_text('Zoe', clear=True)", done(typed("Zoe"))),
        Call("await driver.press_button('back')", done(lambda state: not state.apps.foreground.focus)),
        Call("await driver.press_button('home')", done(is_front())),
        Call("await driver.swipe(540, 5, 540, 1500, 300)", done(lambda state: state.panel == "shade")),
        Call("await driver.press_key_code(4)", done(lambda state: not state.panel)),
        Call("await driver.start_app('com.google.android.contacts')", done(is_front(CONTACTS))),
        Call("await driver.start_app('com.android.settings', '.Settings')", done(is_front(SETTINGS))),
        Call("await driver.start_app('com.example.none')", refused("Could not resolve")),
        Call("await driver.open_deep_link('https://example.org/a')",
             done(lambda state: state.apps.foreground.intent.data == "https://example.org/a")),
        Call("await driver.open_deep_link('nothing://x')", refused("Could not open deep link")),
        Call("await driver.grant_permission('com.whatsapp', 'CAMERA')", done(lambda state: any(
            name.endswith("CAMERA") for entry in state.apps.packages if entry.package == "com.whatsapp"
            for name in entry.granted))),
        Call("await driver.grant_permission('com.whatsapp', 'NOTHING')", refused("Unknown permission")),
        # It reads the manifest in the file first, and this one has none.
        Call("await driver.install_app(folder + '/com.installed.tool.apk')", refused("BadZipFile")),
        Call("await driver.stop_app('com.android.settings')", done(lambda state: SETTINGS not in state.apps.running())),
        Call("await driver.clear_app_data('com.whatsapp')", returned(None)),
        Call("await driver.clear_app_data('com.example.none')", refused("failed")),
        Call("await driver.uninstall_app('com.example.none')", told("Failure")),
        Call("await driver.get_clipboard()", refused("needs the Mobilerun Portal app")),
    ),
)  # fmt: skip
