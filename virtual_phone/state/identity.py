"""Model, build, language and time zone."""

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from virtual_phone.builds import Build
from virtual_phone.builds.table import common_properties
from virtual_phone.state.part import StatePart

_ZONES = {
    0: "Etc/UTC",
    1: "Europe/Berlin",
    8: "Asia/Shanghai",
    9: "Asia/Tokyo",
    -5: "America/New_York",
    -8: "America/Los_Angeles",
}


_FINGERPRINT = "{brand}/{device}/{device}:{release}/{build_id}/{incremental}:{kind}/{keys}"


def zone_name(offset: timedelta) -> str:
    """A time zone name for an offset from UTC."""
    hours = round(offset.total_seconds() / 3600)
    return _ZONES.get(hours, f"Etc/GMT{-hours:+d}")


class IdentityState(StatePart):
    """Model, build, language and zone; ``properties`` overrides or adds system properties."""

    serial: str = "vphone-1"
    manufacturer: str = "Google"
    brand: str = "google"
    model: str = "Pixel 8"
    device: str = "shiba"
    release: str = "14"
    sdk: int = 34
    build_id: str = "UQ1A.240205.004"
    language: Literal["en", "zh"] = "en"
    country: str = "US"
    timezone: str = "Asia/Shanghai"
    rooted: bool = False
    """A build for developers (``userdebug``): ``adb root`` works, and there are ``su`` and ``sqlite3``."""
    adbd_user: Literal["shell", "root"] = "shell"
    """The user that adbd and its shells run as."""
    properties: dict[str, str] = Field(default_factory=dict)

    @property
    def locale(self) -> str:
        return f"{self.language}-{self.country}"

    def clock_text(self, moment: datetime) -> str:
        """A time of day in 12 or 24 hours, by the setting, else by language."""
        chosen = self._phone.settings.get("system", "time_12_24")
        if chosen == "24" or (chosen is None and self.language == "zh"):
            return moment.strftime("%H:%M")
        return f"{moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"

    def all_properties(self) -> dict[str, str]:
        """The system properties that ``getprop`` lists."""
        phone = self._phone
        build = phone.build
        kind = "userdebug" if self.rooted else "user"
        keys = "dev-keys" if self.rooted else "release-keys"
        fields = build.model_dump() | self.model_dump()
        return (
            {name: value.format_map(fields) for name, value in common_properties().items()}
            | {
                "dalvik.vm.heapsize": "512m",
                "gsm.network.type": "LTE" if not phone.network.airplane else "Unknown",
                "gsm.operator.alpha": ",".join([phone.network.operator, *(sim.operator for sim in build.sims[1:])]),
                "gsm.operator.iso-country": ",".join(sim.country for sim in build.sims),
                "gsm.operator.numeric": ",".join(sim.numeric for sim in build.sims),
                "gsm.sim.state": ",".join("LOADED" for _ in build.sims),
                "init.svc.adbd": "running",
                "init.svc.bootanim": "stopped",
                "net.bt.name": "Android",
                "persist.sys.locale": self.locale,
                "persist.sys.timezone": self.timezone,
                "persist.sys.usb.config": "adb",
                "ro.build.characteristics": "nosdcard",
                "persist.radio.multisim.config": "dsds" if len(build.sims) > 1 else "ssss",
                "ro.build.fingerprint": _FINGERPRINT.format_map({**fields, "kind": kind, "keys": keys}),
                "ro.build.id": self.build_id,
                "ro.build.tags": keys,
                "ro.build.type": kind,
                "ro.build.version.codename": "REL",
                "ro.build.version.incremental": build.incremental,
                "ro.build.version.release": self.release,
                "ro.build.version.sdk": str(self.sdk),
                "ro.build.version.security_patch": build.security_patch,
                "ro.crypto.state": "encrypted",
                "ro.debuggable": str(int(self.rooted)),
                "ro.hardware": self.device,
                "ro.product.board": self.device,
                "ro.product.brand": self.brand,
                "ro.product.cpu.abi": "arm64-v8a",
                "ro.product.cpu.abilist": "arm64-v8a",
                "ro.product.device": self.device,
                "ro.product.locale": "en-US",
                "ro.product.manufacturer": self.manufacturer,
                "ro.product.model": self.model,
                "ro.product.name": self.device,
                "ro.secure": "1",
                "ro.serialno": self.serial,
                "ro.sf.lcd_density": str(phone.display.density),
                "service.adb.root": str(int(self.adbd_user == "root")),
                "service.adb.tcp.port": "5555",
                "sys.boot_completed": "1",
                "sys.usb.state": "adb",
            }
            | build.properties
            | self.properties
        )


def identity_of(build: Build) -> IdentityState:
    """Returns the identity of a phone of this build."""
    return IdentityState(
        manufacturer=build.manufacturer,
        brand=build.brand,
        model=build.model,
        device=build.device,
        release=build.release,
        sdk=build.sdk,
        build_id=build.build_id,
    )
