"""What the phone measures about itself."""

from collections.abc import Iterable

from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.alarms import NEXT_ALARM
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.display import NIGHT_MODE, NightMode
from android_bridge.facts.network import AIRPLANE_MODE, CONNECTIVITY, WIFI
from android_bridge.facts.notifications import DO_NOT_DISTURB
from android_bridge.facts.power import POWER
from android_bridge.facts.properties import PROPERTIES
from android_bridge.facts.settings import setting
from android_bridge.facts.telephony import TELEPHONY
from collectors import apps
from collectors.context import Dimension
from collectors.source import Need, Reading, Seen, Source
from collectors.sources.times import WEEKDAYS
from heed.errors import DeviceError
from heed.trust import Trust

RINGER = setting("global", "mode_ringer")
RINGER_MODES = {"0": "silent", "1": "vibrate", "2": "normal"}
"""``AudioManager.RINGER_MODE_*``."""
_HOUR = 3600.0


class PhoneSource(Source):
    """Model, Android version and locale: they hardly ever change."""

    name = "phone"
    dimension = Dimension.DEVICE
    needs = (Need(PROPERTIES, fresh=_HOUR),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        properties = seen[PROPERTIES]
        maker, model = properties.get("ro.product.manufacturer", ""), properties.get("ro.product.model", "")
        named = {
            "phone.model": model if model.casefold().startswith(maker.casefold()) else f"{maker} {model}".strip(),
            "phone.android": properties.get("ro.build.version.release", ""),
            "phone.locale": properties.get("persist.sys.locale") or properties.get("ro.product.locale", ""),
        }
        return [Reading(name, value) for name, value in named.items() if value]


class BatterySource(Source):
    """Level and charger."""

    name = "battery"
    dimension = Dimension.DEVICE
    needs = (Need(BATTERY),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        battery = seen[BATTERY]
        return [
            Reading("battery.level", battery.level),
            Reading("battery.plugged", battery.powered),
            Reading("battery.status", battery.status),
        ]


class PowerSource(Source):
    """Battery saver."""

    name = "power"
    dimension = Dimension.DEVICE
    needs = (Need(POWER),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        saver = seen[POWER].battery_saver
        if saver is None:
            raise DeviceError("This phone does not tell whether battery saver is on.")
        return [Reading("power_saving.enabled", saver)]


class ScreenSource(Source):
    """Screen and lock."""

    name = "screen"
    dimension = Dimension.DEVICE
    needs = (Need(POWER), Need(ACTIVITIES))

    async def read(self, seen: Seen) -> Iterable[Reading]:
        locked = seen[ACTIVITIES].locked
        on = Reading("screen.on", seen[POWER].awake)
        return [on] if locked is None else [on, Reading("screen.locked", locked)]


class NetworkSource(Source):
    """How the phone is connected. Whoever runs a Wi-Fi network chooses its name."""

    name = "network"
    dimension = Dimension.DEVICE
    needs = (Need(CONNECTIVITY), Need(WIFI), Need(AIRPLANE_MODE))

    async def read(self, seen: Seen) -> Iterable[Reading]:
        transports = seen[CONNECTIVITY].transports
        wifi = "WIFI" in transports
        readings = [
            Reading("network.kind", "wifi" if wifi else "mobile" if "CELLULAR" in transports else "none"),
            Reading("airplane_mode.enabled", seen[AIRPLANE_MODE]),
        ]
        if wifi and seen[WIFI].ssid:
            readings.insert(1, Reading("network.wifi_name", seen[WIFI].ssid, Trust.THIRD_PARTY))
        return readings


class ForegroundSource(Source):
    """The app on the screen; of an excluded one only that it is excluded."""

    name = "foreground"
    dimension = Dimension.DEVICE
    needs = (Need(ACTIVITIES),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        app = seen[ACTIVITIES].foreground
        if app is None:
            return []
        if app.package in self.config.excluded_apps:
            return [Reading("foreground.excluded", True)]
        readings = [Reading("foreground.package", app.package), Reading("foreground.activity", app.activity)]
        name = apps.name(app.package, self.config.language)
        return [*readings, Reading("foreground.app", name)] if name else readings


class CallSource(Source):
    """Whether somebody is calling or being talked to."""

    name = "call"
    dimension = Dimension.DEVICE
    needs = (Need(TELEPHONY),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        return [Reading("call.state", seen[TELEPHONY].call)]


class InterruptionSource(Source):
    """Do not disturb and the ringer."""

    name = "interruptions"
    dimension = Dimension.DEVICE
    needs = (Need(DO_NOT_DISTURB), Need(RINGER))

    async def read(self, seen: Seen) -> Iterable[Reading]:
        ringer = RINGER_MODES.get(seen[RINGER] or "")
        dnd = Reading("dnd.mode", seen[DO_NOT_DISTURB])
        return [dnd, Reading("ringer.mode", ringer)] if ringer else [dnd]


class AppearanceSource(Source):
    """Dark mode."""

    name = "appearance"
    dimension = Dimension.DEVICE
    needs = (Need(NIGHT_MODE),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        mode = seen[NIGHT_MODE]
        # A schedule says when it is dark, not whether it is dark now.
        return [Reading("dark_mode.enabled", mode is NightMode.ON)] if mode in (NightMode.ON, NightMode.OFF) else []


class AlarmSource(Source):
    """The next alarm of the clock."""

    name = "alarms"
    dimension = Dimension.DEVICE
    needs = (Need(NEXT_ALARM),)

    async def read(self, seen: Seen) -> Iterable[Reading]:
        moment = seen[NEXT_ALARM]
        if moment is None:
            return []
        moment = moment.astimezone(seen.now.tzinfo)
        ahead = max(0, round((moment - seen.now).total_seconds() / 60))
        return [
            Reading(
                "alarms.next",
                {
                    "time": moment.isoformat(timespec="minutes"),
                    "date": moment.date().isoformat(),
                    "clock": f"{moment:%H:%M}",
                    "weekday": WEEKDAYS[moment.weekday()],
                    "minutes_ahead": ahead,
                },
            )
        ]
