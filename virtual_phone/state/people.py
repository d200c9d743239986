"""Contacts, messages, calls and blocked numbers."""

from typing import Literal

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import ChatLine, StateRecord
from virtual_phone.state.well_known import DIALER_APP, MESSAGING_APP

NAME_TYPE = "vnd.android.cursor.item/name"
PHONE_TYPE = "vnd.android.cursor.item/phone_v2"
EMAIL_TYPE = "vnd.android.cursor.item/email_v2"
MOBILE = "2"
CALL_SCREEN = f"{DIALER_APP}/com.android.incallui.InCallActivity"
_INCOMING = "com.google.android.apps.messaging:incoming_message:"


def digits(number: str) -> str:
    """The last eleven digits of a phone number, by which numbers are compared."""
    return "".join(character for character in number if character.isdigit())[-11:]


class ContactData(StateRecord):
    """One data row: ``mimetype`` says what ``data1`` … ``data15`` mean."""

    identifier: int
    mimetype: str
    values: dict[str, str | None] = Field(default_factory=dict)


class RawContact(StateRecord):
    """One raw contact; ``identifier`` serves as the id of its aggregated contact, too."""

    identifier: int
    account_type: str | None = None
    account_name: str | None = None
    starred: bool = False
    data: list[ContactData] = Field(default_factory=list)

    def first(self, mimetype: str) -> str:
        """``data1`` of the first row of a type; empty without one."""
        return next((row.values.get("data1") or "" for row in self.data if row.mimetype == mimetype), "")

    @property
    def name(self) -> str:
        """The display name: the name, or else the first number or address, as the provider chooses."""
        return self.first(NAME_TYPE) or self.first(PHONE_TYPE) or self.first(EMAIL_TYPE)


class ContactsState(StatePart):
    """The contacts provider."""

    raw: list[RawContact] = Field(default_factory=list)
    next_raw: int = 1
    next_data: int = 1

    def add(self, name: str, number: str = "", email: str = "", *, starred: bool = False) -> RawContact:
        """A contact with a name and, if given, a mobile number and an address."""
        contact = self.insert_raw()
        contact.starred = starred
        self.insert_data(contact.identifier, NAME_TYPE, {"data1": name})
        if number:
            self.insert_data(contact.identifier, PHONE_TYPE, {"data1": number, "data2": MOBILE})
        if email:
            self.insert_data(contact.identifier, EMAIL_TYPE, {"data1": email, "data2": "1"})
        return contact

    def insert_raw(self, account_type: str | None = None, account_name: str | None = None) -> RawContact:
        """An empty raw contact."""
        contact = RawContact(identifier=self.next_raw, account_type=account_type, account_name=account_name)
        self.raw.append(contact)
        self.next_raw += 1
        self._changed()
        return contact

    def insert_data(self, raw_contact: int, mimetype: str, values: dict[str, str | None]) -> ContactData | None:
        """A data row; None when there is no such raw contact."""
        contact = self.find(raw_contact)
        if contact is None:
            return None
        row = ContactData(identifier=self.next_data, mimetype=mimetype, values=values)
        contact.data.append(row)
        self.next_data += 1
        self._changed()
        return row

    def find(self, raw_contact: int) -> RawContact | None:
        """The raw contact with this id."""
        return next((contact for contact in self.raw if contact.identifier == raw_contact), None)

    def change(self, contact: RawContact, name: str, number: str, email: str) -> None:
        """The owner edits a contact: the first row of each type takes the new value; an empty value deletes it."""
        rows: tuple[tuple[str, str, dict[str, str | None]], ...] = (
            (NAME_TYPE, name, {}),
            (PHONE_TYPE, number, {"data2": MOBILE}),
            (EMAIL_TYPE, email, {"data2": "1"}),
        )
        for mimetype, value, kind in rows:
            row = next((row for row in contact.data if row.mimetype == mimetype), None)
            if row is None and value:
                self.insert_data(contact.identifier, mimetype, {"data1": value, **kind})
            elif row is not None and value:
                row.values = {**row.values, "data1": value}
            elif row is not None:
                self.remove_data({row.identifier})
        self._changed()

    def remove(self, raw_contact: int) -> int:
        """Delete a raw contact; returns how many there were."""
        before = len(self.raw)
        self.raw = [contact for contact in self.raw if contact.identifier != raw_contact]
        self._changed()
        return before - len(self.raw)

    def put(self, contact: RawContact) -> None:
        """Store a raw contact as it is: a new one, or in place of the one with its id."""
        self.raw = [other for other in self.raw if other.identifier != contact.identifier] + [contact]
        self.raw.sort(key=lambda other: other.identifier)
        self.next_raw = max(self.next_raw, contact.identifier + 1)
        self._changed()

    def put_data(self, raw_contact: int, data: ContactData) -> bool:
        """Store a data row as it is: a new one, or in place of the one with its id; False without that raw contact."""
        contact = self.find(raw_contact)
        if contact is None:
            return False
        self.remove_data({data.identifier})
        contact.data = sorted([*contact.data, data], key=lambda row: row.identifier)
        self.next_data = max(self.next_data, data.identifier + 1)
        self._changed()
        return True

    def remove_data(self, identifiers: set[int]) -> None:
        """Delete data rows; the contacts stay."""
        for contact in self.raw:
            contact.data = [row for row in contact.data if row.identifier not in identifiers]
        self._changed()

    def name_of(self, number: str) -> str:
        """The name of the contact with this number; empty for none."""
        wanted = digits(number)
        for contact in self.raw:
            for row in contact.data:
                if wanted and row.mimetype == PHONE_TYPE and digits(row.values.get("data1") or "") == wanted:
                    return contact.name
        return ""


class StoredMessage(StateRecord):
    """One SMS; times in milliseconds since 1970, ``kind`` as in Telephony.Sms: 1 inbox, 2 sent, 3 draft."""

    identifier: int
    thread: int
    address: str
    body: str
    date: int
    kind: Literal[1, 2, 3] = 1
    read: bool = False


class MessagesState(StatePart):
    """The SMS provider and the messaging app's conversations."""

    stored: list[StoredMessage] = Field(default_factory=list)
    threads: dict[str, int] = Field(default_factory=dict)
    next_message: int = 1

    def receive(self, number: str, text: str) -> StoredMessage:
        """A message arrives: a row in the inbox and a notification."""
        message = self.store(number, text, kind=1)
        sender = self._phone.contacts.name_of(number) or number
        self._phone.notifications.post(
            package=MESSAGING_APP,
            identifier=0,
            tag=f"{_INCOMING}{message.thread}",
            channel="bugle_default_channel",
            channel_name={"en": "Incoming messages", "zh": "收到的信息"}[self._phone.identity.language],
            importance=4,
            title=sender,
            text=text,
            category="msg",
            conversation=sender,
            chat=[
                ChatLine(sender=sender, text=unread.body, time=unread.date)
                for unread in self.conversation(number)
                if unread.kind == 1 and not unread.read
            ],
            actions={"en": ["Reply", "Mark as read"], "zh": ["回复", "标为已读"]}[self._phone.identity.language],
            tap={"action": "android.intent.action.VIEW", "data": f"sms:{number}", "package": MESSAGING_APP},
        )
        return message

    def act(self, tag: str, button: int) -> None:
        """A button of a message's notification: reply (opens the conversation), mark as read."""
        thread = tag.removeprefix(_INCOMING)
        number = next((message.address for message in self.stored if str(message.thread) == thread), None)
        if number is None:
            return
        self.mark_read(number)
        if button == 0:
            tap = {"action": "android.intent.action.VIEW", "data": f"sms:{number}", "package": MESSAGING_APP}
            self._phone.apps.start_from_notification(tap, MESSAGING_APP)

    def send(self, number: str, text: str) -> StoredMessage:
        """The owner sends a message."""
        message = self.store(number, text, kind=2)
        message.read = True
        return message

    def store(self, number: str, text: str, *, kind: Literal[1, 2, 3] = 1, date: int | None = None) -> StoredMessage:
        """Store a row in the provider; the date is now by default."""
        message = StoredMessage(
            identifier=self.next_message,
            thread=self.thread(number),
            address=number,
            body=text,
            date=self._phone.clock.milliseconds() if date is None else date,
            kind=kind,
        )
        self.stored.append(message)
        self.next_message += 1
        self._changed()
        return message

    def put(self, message: StoredMessage) -> None:
        """Store a row of the provider as it is: a new one, or in place of the one with its id."""
        self.threads.setdefault(digits(message.address) or message.address, message.thread)
        self.stored = [other for other in self.stored if other.identifier != message.identifier] + [message]
        self.stored.sort(key=lambda other: other.identifier)
        self.next_message = max(self.next_message, message.identifier + 1)
        self._changed()

    def delete(self, identifier: int) -> None:
        """Delete a row of the provider."""
        self.stored = [message for message in self.stored if message.identifier != identifier]
        self._changed()

    def delete_thread(self, identifier: int) -> None:
        """Forget a conversation; its messages stay in the provider, and a new message opens it again."""
        self.threads = {number: thread for number, thread in self.threads.items() if thread != identifier}
        self._changed()

    def thread(self, number: str) -> int:
        """The id of the conversation with a number, created when missing."""
        return self.threads.setdefault(digits(number) or number, max(self.threads.values(), default=0) + 1)

    def conversation(self, number: str) -> list[StoredMessage]:
        """The messages with a number, oldest first."""
        thread = self.threads.get(digits(number) or number)
        return [message for message in self.stored if message.thread == thread]

    def mark_read(self, number: str) -> None:
        """The owner read the conversation."""
        for message in self.conversation(number):
            message.read = True
        self._phone.notifications.cancel_tag(MESSAGING_APP, f"{_INCOMING}{self.thread(number)}")
        self._changed()


class CallRecord(StateRecord):
    """A row of the call log; ``kind``: 1 incoming, 2 outgoing, 3 missed, 5 rejected."""

    identifier: int
    number: str
    date: int
    duration: int = 0
    kind: Literal[1, 2, 3, 5] = 1


class CurrentCall(StateRecord):
    """A call that is ringing or under way."""

    number: str
    state: Literal["ringing", "active"]
    incoming: bool
    since: int


class CallsState(StatePart):
    """Calls and blocked numbers."""

    log: list[CallRecord] = Field(default_factory=list)
    current: CurrentCall | None = None
    blocked: list[str] = Field(default_factory=list)

    def put(self, record: CallRecord) -> None:
        """Store a row of the log as it is: a new one, or in place of the one with its id."""
        self.log = [other for other in self.log if other.identifier != record.identifier] + [record]
        self.log.sort(key=lambda other: other.identifier)
        self._changed()

    def delete(self, identifiers: set[int]) -> None:
        """Delete rows of the log."""
        self.log = [record for record in self.log if record.identifier not in identifiers]
        self._changed()

    @property
    def number_state(self) -> int:
        """TelephonyManager.CALL_STATE_*: 0 idle, 1 ringing, 2 off-hook."""
        if self.current is None:
            return 0
        return 1 if self.current.state == "ringing" else 2

    def block(self, number: str, on: bool = True) -> None:
        """Block or unblock a number."""
        self.blocked = [other for other in self.blocked if digits(other) != digits(number)] + ([number] if on else [])
        self._changed()

    def ring(self, number: str) -> None:
        """A call comes in."""
        if digits(number) in map(digits, self.blocked):
            self._record(number, 5, 0)
            return
        now = self._phone.clock.milliseconds()
        self.current = CurrentCall(number=number, state="ringing", incoming=True, since=now)
        name = self._phone.contacts.name_of(number) or number
        text = {"en": "Incoming call", "zh": "来电"}[self._phone.identity.language]
        actions = {"en": ["Answer", "Decline"], "zh": ["接听", "拒接"]}[self._phone.identity.language]
        self._phone.notifications.post(
            package=DIALER_APP, identifier=1, tag="incoming_call", channel="phone_incoming_call", importance=4,
            title=name, text=text, category="call", ongoing=True, actions=actions, tap={"component": CALL_SCREEN},
        )  # fmt: skip
        self._changed()

    def dial(self, number: str) -> None:
        """The owner calls a number; the call is active at once."""
        now = self._phone.clock.milliseconds()
        self.current = CurrentCall(number=number, state="active", incoming=False, since=now)
        self._changed()

    def answer(self) -> None:
        """The owner answers the call."""
        if self.current is not None:
            self.current.state = "active"
            self.current.since = self._phone.clock.milliseconds()
            self._phone.notifications.cancel_tag(DIALER_APP, "incoming_call")
            self._changed()

    def act(self, button: int) -> None:
        """A button of the incoming call's notification: answer, decline."""
        if button == 0:
            self.answer()
            self._phone.apps.start_from_notification({"component": CALL_SCREEN}, DIALER_APP)
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """End the call; one that was still ringing is missed."""
        if self.current is None:
            return
        call, self.current = self.current, None
        self._phone.notifications.cancel_tag(DIALER_APP, "incoming_call")
        if call.state == "ringing":
            self._record(call.number, 3, 0)
        else:
            seconds = (self._phone.clock.milliseconds() - call.since) // 1000
            self._record(call.number, 1 if call.incoming else 2, seconds)
        self._changed()

    def _record(self, number: str, kind: Literal[1, 2, 3, 5], duration: int) -> None:
        now = self._phone.clock.milliseconds()
        following = max((record.identifier for record in self.log), default=0) + 1
        self.log.append(CallRecord(identifier=following, number=number, date=now, duration=duration, kind=kind))
