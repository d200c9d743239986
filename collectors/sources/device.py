"""Device status: battery, network, display, sound, Bluetooth, storage."""

import re
from collections.abc import Iterable

from android_bridge.facts.activities import ACTIVITIES
from android_bridge.facts.alarms import NEXT_ALARM
from android_bridge.facts.audio import AUDIO, AudioStream
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.bluetooth import BLUETOOTH, Bluetooth
from android_bridge.facts.display import NIGHT_MODE, NightMode
from android_bridge.facts.media import MEDIA_SESSIONS
from android_bridge.facts.memory import STORAGE
from android_bridge.facts.network import AIRPLANE_MODE, CONNECTIVITY, MOBILE_DATA, WIFI
from android_bridge.facts.notifications import DO_NOT_DISTURB
from android_bridge.facts.power import POWER
from android_bridge.facts.properties import PROPERTIES
from android_bridge.facts.settings import setting
from android_bridge.facts.sleep import SLEEP_TIMES
from android_bridge.facts.telephony import TELEPHONY
from collectors import apps
from collectors.context import Dimension
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from collectors.sources.times import WEEKDAYS
from heed.errors import DeviceError
from heed.messages import msg
from heed.trust import Trust

VOLUMES = {"MUSIC": "media.volume", "RING": "ringer.volume", "ALARM": "alarms.volume"}
"""``dumpsys audio``'s streams that matter, and the facts that tell their volumes."""
HEARD_THROUGH = {
    "headphones": re.compile(r"buds|pods|head(?:phone|set)|ear(?:phone|bud)|耳机|\b(?:wh|wf|qc)-?\d", re.IGNORECASE),
    "speaker": re.compile(r"speaker|soundbar|boombox|音箱|音响", re.IGNORECASE),
    "car": re.compile(
        r"\b(?:car|auto|carplay|android ?auto|carkit|my ?car|handsfreelink|hft|mb bluetooth|mmi|sync"
        r"|uconnect|intellilink|mylink|smartplay|r-?link|blue ?link|nissanconnect|touring|media ?nav"
        r"|truck|van|ute|pickup|audi|bmw|byd|chevrolet|chevy|citroën|citroen|cupra|dacia|dodge|fiat"
        r"|ford|geely|gmc|haval|holden|honda|hyundai|isuzu|jaguar|jeep|kia|lexus|mahindra|maruti|mazda"
        r"|mercedes|mg\d?|mitsubishi|nissan|opel|perodua|peugeot|porsche|proton|renault|rivian|seat"
        r"|s[kš]oda|subaru|suzuki|tata|tesla|toyota|vauxhall|volkswagen|volvo|vw|wuling|f-?150|golf"
        r"|passat|polo|tiguan|probox|fielder|premio|innova|fortuner|corolla|camry|rav4|hilux|yaris|sienna|vios|civic|accord|cr-v|vezel|jazz"
        r"|fiesta|focus|ranger|transit|corsa|astra|octavia|fabia|baleno|swift|alto|creta|i20|silverado"
        r"|tacoma|binguo)\b"
        r"|车载|汽车|车机|我的车|爱车|比亚迪|大众|丰田|本田|日产|别克|五菱|吉利|长安|长城|哈弗|奇瑞|传祺|理想"
        r"|蔚来|小鹏|极氪|问界|特斯拉|宝马|奔驰|奥迪|福特|起亚|现代",
        re.IGNORECASE,
    ),
}
"""What a Bluetooth device is, told by the name that makers give it; a name that says nothing tells nothing."""
_HOUR = 3600.0
LOCALES = setting("system", "system_locales")


class PhoneSource(Source):
    """Model, Android version, locale and languages: they hardly ever change."""

    name = "phone"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(PROPERTIES, fresh=_HOUR), ReaderNeed(LOCALES, fresh=_HOUR))

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        properties = phone[PROPERTIES]
        maker, model = properties.get("ro.product.manufacturer", ""), properties.get("ro.product.model", "")
        named = {
            "phone.model": model if model.casefold().startswith(maker.casefold()) else f"{maker} {model}".strip(),
            "phone.android": properties.get("ro.build.version.release", ""),
            "phone.locale": properties.get("persist.sys.locale") or properties.get("ro.product.locale", ""),
        }
        readings = [Reading(name, value) for name, value in named.items() if value]
        locales = (phone.get(LOCALES) or "").split(",")
        return [*readings, Reading("phone.languages", locales)] if len(locales) > 1 else readings


class BatterySource(Source):
    """Level and charger."""

    name = "battery"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(BATTERY),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        battery = phone[BATTERY]
        return [
            Reading("battery.level", battery.level),
            Reading("battery.plugged", battery.powered),
            Reading("battery.status", battery.status),
        ]


class SleepSource(Source):
    """When the owner usually sleeps, where the phone has learnt it (Samsung)."""

    name = "sleep"
    dimension = Dimension.PROFILE
    needs = (ReaderNeed(SLEEP_TIMES, fresh=_HOUR),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        times = phone[SLEEP_TIMES]
        if not times:
            return []
        usual = {WEEKDAYS[one.weekday]: f"{one.begin:%H:%M}-{one.end:%H:%M}" for one in times}
        return [Reading("sleep.usual", usual, confidence=min(one.confidence for one in times))]


class PowerSource(Source):
    """Battery saver."""

    name = "power"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(POWER),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        saver = phone[POWER].battery_saver
        if saver is None:
            raise DeviceError(msg("This phone does not tell whether battery saver is on."))
        return [Reading("power_saving.enabled", saver)]


class ScreenSource(Source):
    """Screen and lock."""

    name = "screen"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(POWER), ReaderNeed(ACTIVITIES))

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        locked = phone[ACTIVITIES].locked
        on = Reading("screen.on", phone[POWER].awake)
        return [on] if locked is None else [on, Reading("screen.locked", locked)]


class NetworkSource(Source):
    """How the phone is connected, and its switches. Whoever runs a Wi-Fi network chooses its name."""

    name = "network"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(CONNECTIVITY), ReaderNeed(WIFI), ReaderNeed(AIRPLANE_MODE), ReaderNeed(MOBILE_DATA))

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        kind = network_kind(phone[CONNECTIVITY].transports)
        name = phone[WIFI].ssid if kind == "wifi" else None
        named = [Reading("network.wifi_name", name, Trust.THIRD_PARTY)] if name else []
        wifi, data = phone.get(WIFI), phone.get(MOBILE_DATA)
        switches = {
            "airplane_mode.enabled": phone[AIRPLANE_MODE],
            "wifi.enabled": wifi and wifi.enabled,
            "mobile_data.enabled": data,
        }
        known = [Reading(switch, on) for switch, on in switches.items() if on is not None]
        return [Reading("network.kind", kind), *named, *known]


def network_kind(transports: Iterable[str]) -> str:
    """``wifi``, ``mobile`` or ``none``; a cable or a VPN of unknown footing counts as none of the first two."""
    known = frozenset(transports)
    return "wifi" if "WIFI" in known else "mobile" if "CELLULAR" in known else "none"


class ForegroundSource(Source):
    """The app on the screen; of an excluded one only that it is excluded."""

    name = "foreground"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(ACTIVITIES),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        app = phone[ACTIVITIES].foreground
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
    needs = (ReaderNeed(TELEPHONY),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        return [Reading("call.state", phone[TELEPHONY].call)]


class DoNotDisturbSource(Source):
    """Do not disturb."""

    name = "dnd"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(DO_NOT_DISTURB),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        return [Reading("dnd.mode", phone[DO_NOT_DISTURB])]


class SoundSource(Source):
    """Ringer, volumes, and whether an app's call has the sound (which the SIM cards know nothing of)."""

    name = "sound"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(AUDIO),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        audio = phone[AUDIO]
        volumes = ((fact, audio.streams[name]) for name, fact in VOLUMES.items() if name in audio.streams)
        levels = [Reading(fact, percent) for fact, stream in volumes if (percent := volume_percent(stream)) is not None]
        call = [] if audio.in_call is None else [Reading("call.has_sound", audio.in_call)]
        return [Reading("ringer.mode", audio.ringer), *levels, *call]


def volume_percent(stream: AudioStream) -> int | None:
    """How loud a stream is, 0 when muted; None for one without a scale."""
    if not stream.maximum:
        return None
    return 0 if stream.muted else round(100 * stream.volume / stream.maximum)


class PlayerSource(Source):
    """What is playing; titles come from apps."""

    name = "player"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(MEDIA_SESSIONS),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        playing = next((session for session in phone[MEDIA_SESSIONS] if session.playing), None)
        if playing is None or playing.package in self.config.excluded_apps:
            return [Reading("media.playing", False)]
        app = apps.name(playing.package, self.config.language) or playing.package
        readings = [Reading("media.playing", True), Reading("media.app", app)]
        title = playing.description
        return [*readings, Reading("media.title", title, Trust.THIRD_PARTY)] if title else readings


class BluetoothSource(Source):
    """The switch and the device that sound goes to; its owner chose the name."""

    name = "bluetooth"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(BLUETOOTH),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        bluetooth = phone[BLUETOOTH]
        readings = [Reading("bluetooth.enabled", bluetooth.enabled)]
        if bluetooth.connected is not None:
            readings.append(Reading("bluetooth.connected", bluetooth.connected))
        sound = sound_device(bluetooth)
        if not sound:
            return readings
        kind = heard_through(sound)
        known = [Reading("bluetooth.kind", kind, Trust.THIRD_PARTY)] if kind else []
        return [*readings, Reading("bluetooth.sound", sound, Trust.THIRD_PARTY), *known]


def sound_device(bluetooth: Bluetooth) -> str | None:
    """The name of the device that sound goes to."""
    return next((device.name for device in bluetooth.bonded if device.address == bluetooth.active_audio), None) or None


def heard_through(name: str) -> str | None:
    """What a Bluetooth device of this name is: a key of ``HEARD_THROUGH``, or None."""
    return next((kind for kind, pattern in HEARD_THROUGH.items() if pattern.search(name)), None)


class AppearanceSource(Source):
    """Dark mode."""

    name = "appearance"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(NIGHT_MODE),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        mode = phone[NIGHT_MODE]
        # A schedule says when it is dark, not whether it is dark now.
        return [Reading("dark_mode.enabled", mode is NightMode.ON)] if mode in (NightMode.ON, NightMode.OFF) else []


class StorageSource(Source):
    """Space for the owner's files."""

    name = "storage"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(STORAGE, fresh=600.0),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        space = phone[STORAGE]
        if space.available is None:
            raise DeviceError(msg("This phone does not tell how much space is left."))
        gigabytes = round(space.available / 1e9, 1)
        return [
            Reading("storage.free_gb", gigabytes),
            Reading("storage.free", round(100 * space.available / space.total)),
        ]


class AlarmSource(Source):
    """The next alarm of an alarm clock; that of another app is none of the owner's."""

    name = "alarms"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(NEXT_ALARM),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        alarm = phone[NEXT_ALARM]
        if alarm is None:
            return []
        moment = alarm.at.astimezone(phone.now.tzinfo)
        ahead = max(0, round((moment - phone.now).total_seconds() / 60))
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
