"""Wi-Fi, mobile network, airplane mode, NFC, Bluetooth and location."""

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord


class NetworkState(StatePart):
    """The radios and their connections."""

    wifi: bool = True
    ssid: str = "Home-5G"
    """The network that Wi-Fi is connected to; empty = none in range."""
    saved: dict[str, str] = Field(default_factory=lambda: {"Home-5G": "wpa2"})
    """Known networks and their security."""
    mobile_data: bool = True
    operator: str = "China Mobile"
    signal: int = Field(default=3, ge=0, le=4)
    airplane: bool = False
    bluetooth_before: bool = True
    """Whether Bluetooth was on when airplane mode was switched on."""
    nfc: bool = True
    hotspot: bool = False

    @property
    def wifi_connected(self) -> bool:
        return self.wifi and bool(self.ssid)

    @property
    def mobile_connected(self) -> bool:
        return self.mobile_data and not self.airplane

    @property
    def online(self) -> bool:
        return self.wifi_connected or self.mobile_connected

    def set_wifi(self, on: bool) -> None:
        """Wi-Fi radio."""
        self.wifi = on
        self._phone.settings.store("global", "wifi_on", str(int(on)))
        self._changed()

    def join(self, ssid: str, security: str = "wpa2") -> None:
        """Connect to a Wi-Fi network (turning Wi-Fi on); an empty name disconnects."""
        self.ssid = ssid
        if ssid:
            self.saved[ssid] = security
            self.set_wifi(True)
        self._changed()

    def reach(self, ssid: str) -> None:
        """Change the known network in range (none when empty); the switch stays as it is."""
        self.ssid = ssid
        if ssid:
            self.saved.setdefault(ssid, "wpa2")
        self._changed()

    def forget(self, ssid: str) -> None:
        """Forget a known network, disconnecting from it."""
        self.saved.pop(ssid, None)
        if self.ssid == ssid:
            self.ssid = ""
        self._changed()

    def set_mobile_data(self, on: bool) -> None:
        """Mobile data."""
        self.mobile_data = on
        self._phone.settings.store("global", self._phone.build.mobile_data_key, str(int(on)))
        self._changed()

    def store_subscriptions(self) -> None:
        """Write the settings keys of a phone with several SIM cards: the first one carries data."""
        sims = self._phone.build.sims
        if len(sims) > 1:
            self._phone.settings.store("global", "multi_sim_data_call", str(sims[0].subscription))
            for sim in sims:
                self._phone.settings.store("global", f"mobile_data{sim.subscription}", str(int(sim is sims[0])))

    def set_airplane(self, on: bool) -> None:
        """Airplane mode switches Wi-Fi and Bluetooth off; afterwards what was on is on again.

        Bluetooth: AOSP ``BluetoothManagerService``, ``BLUETOOTH_ON_AIRPLANE``.
        """
        bluetooth = self._phone.bluetooth
        if on and not self.airplane:
            self.bluetooth_before = bluetooth.enabled
            bluetooth.set_enabled(False)
        elif self.airplane and not on:
            bluetooth.set_enabled(self.bluetooth_before)
        self.airplane = on
        self._phone.settings.store("global", "airplane_mode_on", str(int(on)))
        self.set_wifi(not on)
        self._changed()

    def set_hotspot(self, on: bool) -> None:
        """Share the mobile connection over Wi-Fi."""
        self.hotspot = on
        self._changed()

    def set_nfc(self, on: bool) -> None:
        """NFC."""
        self.nfc = on
        self._changed()


class PairedDevice(StateRecord):
    """A bonded device."""

    address: str
    name: str
    connected: bool = False
    audio: bool = True


class BluetoothState(StatePart):
    """The Bluetooth adapter."""

    enabled: bool = True
    name: str = "vphone"
    address: str = "02:00:5E:10:00:01"
    devices: list[PairedDevice] = Field(default_factory=list)

    def set_enabled(self, on: bool) -> None:
        """The adapter; switching it off disconnects everything."""
        self.enabled = on
        if not on:
            for device in self.devices:
                device.connected = False
        self._phone.settings.store("global", "bluetooth_on", str(int(on)))
        self._changed()

    def connect(self, name: str, connected: bool = True) -> None:
        """Connect or disconnect a device by name, bonding it first when it is new."""
        device = next((device for device in self.devices if device.name == name), None)
        if device is None:
            device = PairedDevice(address=f"02:00:5E:20:00:{len(self.devices) + 1:02X}", name=name)
            self.devices.append(device)
        device.connected = connected and self.enabled
        self._changed()


class LocationState(StatePart):
    """The phone's location; ``place`` is a name that Android does not know."""

    enabled: bool = True
    latitude: float = 31.2304
    longitude: float = 121.4737
    accuracy: float = 12.0
    place: str = "home"

    def set_enabled(self, on: bool) -> None:
        """The location switch."""
        self.enabled = on
        self._changed()

    def move(self, latitude: float, longitude: float, place: str = "") -> None:
        """Move the phone to another location, where an app that guided the way ends its guidance."""
        self.latitude, self.longitude, self.place = latitude, longitude, place or self.place
        self._phone.notifications.end_guidance()
        self._changed()
