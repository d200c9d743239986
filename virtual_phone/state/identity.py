"""Model, build, language and time zone."""

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from virtual_phone.state.part import StatePart

_ZONES = {
    0: "Etc/UTC",
    1: "Europe/Berlin",
    8: "Asia/Shanghai",
    9: "Asia/Tokyo",
    -5: "America/New_York",
    -8: "America/Los_Angeles",
}


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
    build: str = "UQ1A.240205.004"
    language: Literal["en", "zh"] = "en"
    country: str = "US"
    timezone: str = "Asia/Shanghai"
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
        fingerprint = f"{self.brand}/{self.device}/{self.device}:{self.release}/{self.build}/11269751:user/release-keys"
        phone = self._phone
        return {
            "dalvik.vm.heapsize": "512m",
            "gsm.network.type": "LTE" if not phone.network.airplane else "Unknown",
            "gsm.operator.alpha": phone.network.operator,
            "gsm.operator.iso-country": "cn",
            "gsm.operator.numeric": "46000",
            "gsm.sim.state": "LOADED",
            "init.svc.adbd": "running",
            "init.svc.bootanim": "stopped",
            "net.bt.name": "Android",
            "persist.sys.locale": self.locale,
            "persist.sys.timezone": self.timezone,
            "persist.sys.usb.config": "adb",
            "ro.build.characteristics": "nosdcard",
            "ro.build.fingerprint": fingerprint,
            "ro.build.id": self.build,
            "ro.build.tags": "release-keys",
            "ro.build.type": "user",
            "ro.build.version.codename": "REL",
            "ro.build.version.incremental": "11269751",
            "ro.build.version.release": self.release,
            "ro.build.version.sdk": str(self.sdk),
            "ro.build.version.security_patch": "2024-02-05",
            "ro.crypto.state": "encrypted",
            "ro.debuggable": "0",
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
            "service.adb.tcp.port": "5555",
            "sys.boot_completed": "1",
            "sys.usb.state": "adb",
        } | self.properties
