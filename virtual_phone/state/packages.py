"""Installed apps: what each declares, and the apps of the standard phone (``apps.yaml``)."""

import functools
from importlib import resources
from typing import Any, Literal

import yaml
from pydantic import Field

from virtual_phone.state.intents import IntentFilter
from virtual_phone.state.record import StateRecord
from virtual_phone.state.well_known import SHELL_APP, SYSTEM_UI

FIRST_APP_UID = 10100
_FIXED_UIDS = {"android": 1000, "com.android.settings": 1000, SHELL_APP: 2000, SYSTEM_UI: 10088}


RUNTIME_PERMISSIONS = tuple(
    f"android.permission.{name}"
    for name in (
        "ACCESS_BACKGROUND_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_FINE_LOCATION", "ACCESS_MEDIA_LOCATION",
        "ACTIVITY_RECOGNITION", "ANSWER_PHONE_CALLS", "BLUETOOTH_ADVERTISE", "BLUETOOTH_CONNECT", "BLUETOOTH_SCAN",
        "BODY_SENSORS", "CALL_PHONE", "CAMERA", "GET_ACCOUNTS", "NEARBY_WIFI_DEVICES", "POST_NOTIFICATIONS",
        "READ_CALENDAR", "READ_CALL_LOG", "READ_CONTACTS", "READ_EXTERNAL_STORAGE", "READ_MEDIA_AUDIO",
        "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED", "READ_PHONE_NUMBERS",
        "READ_PHONE_STATE", "READ_SMS", "RECEIVE_SMS", "RECORD_AUDIO", "SEND_SMS", "WRITE_CALENDAR", "WRITE_CALL_LOG",
        "WRITE_CONTACTS", "WRITE_EXTERNAL_STORAGE",
    )
)  # fmt: skip
"""What apps ask the owner for (AOSP frameworks/base, AndroidManifest.xml: protection level dangerous); all apps here
request all of them."""


class ActivitySpec(StateRecord):
    """An activity that an app declares: the screen it shows and the intents it handles."""

    screen: str
    handles: list[IntentFilter] = Field(default_factory=list)
    secure: bool = False
    """Its window is protected (``FLAG_SECURE``): banks, password pages."""
    writes: str = ""
    """The text field whose text it stores in the file of its intent when it is left (``onPause``)."""


class InstalledPackage(StateRecord):
    """An installed app."""

    package: str
    label: dict[Literal["en", "zh"], str]
    uid: int = 0
    system: bool = False
    color: str = "#5f6368"
    glyph: str = ""
    main: str = ""
    version_name: str = "14.0"
    version_code: int = 140000
    activities: dict[str, ActivitySpec] = Field(default_factory=dict)
    suspended: bool = False
    stopped: bool = False
    enabled: bool = True
    words: dict[str, str] = Field(default_factory=dict)
    """Words on its screens that differ from the usual ones: id in ``ui/words.yaml`` → text."""
    ignores: list[str] = Field(default_factory=list)
    """Extras of intents that it does not read."""
    saves: dict[str, str] = Field(default_factory=dict)
    """Where a camera app stores ``images`` and ``video``, below shared storage; ``DCIM/Camera`` where left out."""
    databases: dict[str, str] = Field(default_factory=dict)
    """Path of a SQLite file below the app's data → SQL with which the app makes it when it starts and has none."""
    granted: list[str] = Field(default_factory=list)
    """Permissions that the owner granted."""

    def component(self, name: str) -> str:
        """``package/.Class`` in the short form where the class lies in the package."""
        return f"{self.package}/{name}"

    @property
    def launcher(self) -> str:
        """The component that the launcher starts; empty when there is none."""
        return self.component(self.main) if self.main else ""


def data_folder(package: str) -> str:
    """The folder of an app's own data."""
    return f"/data/data/{package}"


def protected_folder(package: str) -> str:
    """The folder of an app's data that is readable before the phone is unlocked for the first time."""
    return f"/data/user_de/0/{package}"


@functools.cache
def _table() -> tuple[dict[str, Any], ...]:
    text = resources.files("virtual_phone.state").joinpath("apps.yaml").read_text("utf-8")
    return tuple(yaml.safe_load(text))


def standard_packages() -> list[InstalledPackage]:
    """The apps of the standard phone, with uids in table order."""
    packages = [InstalledPackage.model_validate(entry) for entry in _table()]
    for index, package in enumerate(packages):
        package.uid = _FIXED_UIDS.get(package.package, FIRST_APP_UID + index)
    return packages
