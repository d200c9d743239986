"""Derives triggers from events of the phone: ``PhoneEvent`` → ``Trigger``.

An event of the phone's log holds no text and little data. ``Triggers`` reads the rest from the phone; the functions
``…_trigger`` are pure functions of the event and the values read. Text is redacted as in facts.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import JsonValue

from android_bridge.device import Device
from android_bridge.events import (
    AlarmRang,
    AppForeground,
    BatteryLevel,
    BluetoothChanged,
    CallChanged,
    ChargerChanged,
    ConnectivityChanged,
    NotificationPosted,
    PhoneEvent,
    ScreenChanged,
)
from android_bridge.facts.audio import AUDIO
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.bluetooth import BLUETOOTH, Bluetooth
from android_bridge.facts.content import Row
from android_bridge.facts.media import MEDIA_SESSIONS
from android_bridge.facts.network import CONNECTIVITY
from android_bridge.facts.notifications import NOTIFICATIONS, Notification
from android_bridge.facts.telephony import CallState
from collectors import apps
from collectors.config import CollectorsConfig
from collectors.contacts import contact_by_number
from collectors.context import Trigger, TriggerKind
from collectors.limits import clean_fields
from collectors.phone_reader import PhoneReader
from collectors.source import PhoneValues, ReaderNeed
from collectors.sources.device import heard_through, network_kind, sound_device, volume_percent
from collectors.sources.messages import (
    SMS_APP,
    SMS_APP_NEED,
    SMS_NEED,
    SMS_UNREAD,
    concerns_people,
    is_message,
    shown_notification,
    unread_sms,
)
from collectors.sources.senders import CONTACTS_NEED, SENDER_NEEDS, Senders, known_contacts, senders_of
from heed.clock import Clock
from heed.language import Language
from heed.trust import Trust

JUST_NOW = timedelta(minutes=2)
"""An SMS notification refers to the unread SMS that arrived within this time of it."""

_BATTERY = (ReaderNeed(BATTERY),)
_BLUETOOTH = (ReaderNeed(BLUETOOTH),)
_NETWORK = (ReaderNeed(CONNECTIVITY),)
_PLAYING = (ReaderNeed(MEDIA_SESSIONS), ReaderNeed(AUDIO))
_POSTED = (ReaderNeed(NOTIFICATIONS), SMS_APP_NEED, CONTACTS_NEED)
_SMS = (SMS_NEED, *SENDER_NEEDS)


class Triggers:
    """Derives the triggers of one phone; keeps the last reported SMS, and the last states of Bluetooth and network."""

    def __init__(self, device: Device, clock: Clock, config: CollectorsConfig) -> None:
        self._phone, self._config = PhoneReader(device, clock), config
        self._last_sms: str | None = None
        self._bluetooth: Bluetooth | None = None
        self._network: str | None = None
        self._call: CallState | None = None

    async def of(self, event: PhoneEvent) -> Trigger | None:
        """The trigger of an event, None if it has none; ``DeviceError`` when the phone does not answer."""
        bluetooth, network = self._bluetooth, self._network
        await self._follow(event)
        match event:
            case NotificationPosted():
                return await self._posted(event)
            case BluetoothChanged():
                return await self._bluetooth_changed(event, bluetooth)
            case ConnectivityChanged():
                return network_trigger(event, network)
            case BatteryLevel() | ChargerChanged():
                return power_trigger(event, await self._values(event, _BATTERY))
            case CallChanged():
                before, self._call = self._call, event.state
                return call_trigger(event, await self._values(event, (CONTACTS_NEED,) if event.number else ()), before)
        return state_trigger(event, self._config)

    async def _bluetooth_changed(self, event: BluetoothChanged, before: Bluetooth | None) -> Trigger | None:
        if event.connected:
            return connection_trigger(self._bluetooth)
        return bluetooth_trigger(event, before, await self._values(event, _PLAYING))

    async def begin(self) -> None:
        """Read what the first events are compared with; ``DeviceError`` when the phone does not answer."""
        self._compare_with(await self._read(datetime.now(UTC), (*_BLUETOOTH, *_NETWORK)))

    async def _follow(self, event: PhoneEvent) -> None:
        """Keep the state that the next event is compared with."""
        if isinstance(event, ConnectivityChanged):
            self._network = network_kind(event.transports)
        if isinstance(event, BluetoothChanged) or self._bluetooth is None:
            self._bluetooth = (await self._values(event, _BLUETOOTH)).get(BLUETOOTH)

    def _compare_with(self, phone: PhoneValues) -> None:
        self._bluetooth = phone.get(BLUETOOTH)
        network = phone.get(CONNECTIVITY)
        self._network = network_kind(network.transports) if network else None

    async def _values(self, event: PhoneEvent, needs: Sequence[ReaderNeed[Any]]) -> PhoneValues:
        return await self._read(event.at, needs)

    async def _read(self, at: datetime, needs: Sequence[ReaderNeed[Any]]) -> PhoneValues:
        samples = await self._phone.read(needs)
        values = {reader: sample.value for reader, sample in samples.items()}
        return PhoneValues(at, Trigger(kind=TriggerKind.CLOCK), values)

    async def _posted(self, event: NotificationPosted) -> Trigger | None:
        if event.package in self._config.excluded_apps:
            return None
        phone = await self._values(event, _POSTED)
        if phone.get(SMS_APP) == event.package:
            self._phone.forget([SMS_NEED])
            sms = sms_trigger(event, await self._values(event, _SMS))
            if sms is not None:
                is_new, self._last_sms = sms.data["id"] != self._last_sms, str(sms.data["id"])
                return sms if is_new else None
        return notification_trigger(event, phone)


def power_trigger(event: BatteryLevel | ChargerChanged, phone: PhoneValues) -> Trigger:
    """``battery_level`` {level, plugged} or ``charger`` {plugged, level}; what could not be read is left out."""
    battery = phone.get(BATTERY)
    if isinstance(event, BatteryLevel):
        plugged = {} if battery is None else {"plugged": battery.powered}
        return Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": event.level, **plugged})
    level = {} if battery is None else {"level": battery.level}
    return Trigger(kind=TriggerKind.CHARGER, data={"plugged": bool(event.plugged), **level})


def state_trigger(event: PhoneEvent, config: CollectorsConfig) -> Trigger | None:
    """``app_foreground`` {package, activity, app}, ``alarm`` {package, app} or ``screen`` {state: on | off | unlocked};
    None for an excluded app and for what is no trigger."""
    match event:
        case ScreenChanged():
            return Trigger(kind=TriggerKind.SCREEN, data={"state": str(event.state)})
        case AppForeground() | AlarmRang() if event.package not in config.excluded_apps:
            activity = {"activity": event.activity} if isinstance(event, AppForeground) else {}
            app = apps.name(event.package, config.language)
            return Trigger(
                kind=TriggerKind(event.kind), data=clean_fields({"package": event.package, "app": app, **activity})
            )
    return None


def network_trigger(event: ConnectivityChanged, before: str | None) -> Trigger:
    """``connectivity`` {kind: wifi | mobile | none, before: the same of the time before, where it is known}."""
    earlier = {} if before is None else {"before": before}
    return Trigger(kind=TriggerKind.CONNECTIVITY, data={"kind": network_kind(event.transports), **earlier})


def sms_trigger(event: NotificationPosted, phone: PhoneValues) -> Trigger | None:
    """``sms_received`` {id, and the fields of ``sms.unread``}: the newest unread SMS, if it came just now."""
    rows = phone.get(SMS_UNREAD)
    if not rows or not rows.items:
        return None
    newest = rows.items[0]
    if abs(_moment(newest) - event.at) > JUST_NOW:
        return None
    data = {"id": newest["_id"], **unread_sms(newest, senders_of(phone), event.at)}
    return Trigger(kind=TriggerKind.SMS_RECEIVED, data=clean_fields(data), trust=Trust.THIRD_PARTY)


def notification_trigger(event: NotificationPosted, phone: PhoneValues) -> Trigger | None:
    """``notification`` {sender, and the fields of ``notifications``}; of a conversation only its newest message.

    None for a notification that is not addressed to the owner, and for an update of one that is not a conversation.
    """
    posted = phone.get(NOTIFICATIONS)
    one = next((item for item in posted.items if _is_about(event, item)), None) if posted else None
    if one is None:
        return None
    if not concerns_people(one) or (event.update and not is_message(one)):
        return None
    # Rules and functions know apps by their English names, whatever the owner's language.
    data = shown_notification(one, event.at, Language.EN, Senders(known_contacts(phone)))
    if one.messages:
        data |= {"text": one.messages[-1].text, "sender": one.messages[-1].sender}
    return Trigger(kind=TriggerKind.NOTIFICATION, data=clean_fields(data), trust=Trust.THIRD_PARTY)


def call_trigger(event: CallChanged, phone: PhoneValues, before: CallState | None = None) -> Trigger:
    """``call`` {state, before: the state of the time before}, with {number, contact} where known.

    A call that goes from ringing to idle was not answered. A caller chooses the number that is shown.
    """
    data: dict[str, JsonValue] = {"state": str(event.state), **({"before": str(before)} if before else {})}
    if not event.number:
        return Trigger(kind=TriggerKind.CALL, data=data)
    data["number"] = event.number
    if (contacts := known_contacts(phone)) is not None:
        known = contact_by_number(contacts, event.number)
        data["contact"] = known.name if known else None
    return Trigger(kind=TriggerKind.CALL, data=clean_fields(data), trust=Trust.THIRD_PARTY)


def connection_trigger(bluetooth: Bluetooth | None) -> Trigger | None:
    """``bluetooth_connected`` {device, device_kind}: the device that sound goes to now; None when no name is known.

    A phone reports its first connection only (``BluetoothAdapter.STATE_CONNECTED``), so a car beside a watch is missed.
    """
    name = sound_device(bluetooth) if bluetooth else None
    if name is None:
        return None
    kind = heard_through(name)
    data: dict[str, JsonValue] = {"device": name, **({"device_kind": kind} if kind else {})}
    return Trigger(kind=TriggerKind.BLUETOOTH_CONNECTED, data=clean_fields(data), trust=Trust.THIRD_PARTY)


def bluetooth_trigger(event: BluetoothChanged, before: Bluetooth | None, phone: PhoneValues) -> Trigger | None:
    """``bluetooth_disconnected`` {device, device_kind, media_may_be_playing, media_volume}; what is not known is left
    out. None when it is not known that something was connected before."""
    if before is None or not before.connected or event.connected:
        return None
    data: dict[str, JsonValue] = {}
    if name := sound_device(before):
        data["device"] = name
        if kind := heard_through(name):
            data["device_kind"] = kind
    if (sessions := phone.get(MEDIA_SESSIONS)) is not None:
        data["media_may_be_playing"] = any(session.playing for session in sessions)
    if (audio := phone.get(AUDIO)) and (music := audio.streams.get("MUSIC")):
        data["media_volume"] = volume_percent(music)
    trust = Trust.THIRD_PARTY if "device" in data else Trust.DEVICE
    return Trigger(kind=TriggerKind.BLUETOOTH_DISCONNECTED, data=clean_fields(data), trust=trust)


def _is_about(event: NotificationPosted, one: Notification) -> bool:
    return (event.package, event.id, event.tag, event.user) == (one.package, one.id, one.tag, one.user)


def _moment(row: Row) -> datetime:
    return datetime.fromtimestamp(int(row["date"] or 0) / 1000, UTC)
