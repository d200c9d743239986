"""What the calls of several clients ask of the phone's state."""

from collections.abc import Callable

from virtual_phone import PhoneState
from virtual_phone.state.files import FileError
from virtual_phone.state.well_known import LAUNCHER_APP

Condition = Callable[[PhoneState], bool]
CONTACTS = "com.google.android.contacts"
SETTINGS = "com.android.settings"
INSTALLED = "com.installed.tool"
"""The app in the file ``INSTALLED_FILE``; the virtual phone reads an app's name from its file's."""
STREAMED = "com.installed.streamed"
"""Its name when it comes without a file's name, as ``adb install`` sends it."""
INSTALLED_FILE = "open(folder + '/com.installed.tool.apk', 'wb').write(b'PK\\x03\\x04' + bytes(50000))"


def packages(state: PhoneState) -> list[str]:
    """The names of all apps."""
    return sorted(entry.package for entry in state.apps.packages)


def is_front(package: str = LAUNCHER_APP) -> Condition:
    """The app is in front."""
    return lambda state: state.apps.foreground.package == package


def installed(there: bool, package: str = INSTALLED) -> Condition:
    """The app is installed, or is not."""
    return lambda state: (state.apps.find(package) is not None) == there


def content(path: str, data: bytes) -> Condition:
    """The file holds these bytes."""

    def holds(state: PhoneState) -> bool:
        try:
            return state.files.read(path).read() == data
        except FileError:
            return False

    return holds


def typed(text: str) -> Condition:
    """The text stands in a field of the app in front."""
    return lambda state: text in state.apps.foreground.fields.values()
