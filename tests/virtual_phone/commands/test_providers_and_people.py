"""Content providers: SMS, contacts, media, calendar, call log."""

import pytest

from tests.phones import START, run
from virtual_phone import VirtualPhone

NOW = round(START.timestamp() * 1000)


async def test_an_sms_arrives_as_row_notification_and_event(phone: VirtualPhone) -> None:
    before = phone.state.log.sequence
    phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob,\nmy new number")
    rows = await run(
        phone, "content query --uri content://sms/inbox --projection _id:address:date:body --where 'read=0'"
    )
    assert rows.stdout == f"Row: 0 _id=3, address=+86 150 2233 4455, date={NOW}, body=hi, this is Bob,\nmy new number\n"
    dump = (await run(phone, "dumpsys notification --noredact")).stdout
    assert "pkg=com.google.android.apps.messaging " in dump
    assert "android.title=String (+86 150 2233 4455)" in dump
    events = phone.state.log.entries(frozenset(["events"]), after=before)
    assert [event.tag for event in events] == ["notification_enqueue"]


async def test_a_known_senders_name_is_shown(phone: VirtualPhone) -> None:
    phone.state.messages.receive("13800138000", "hello")
    assert "android.title=String (Alice Chen)" in (await run(phone, "dumpsys notification --noredact")).stdout


async def test_writes_to_sms_are_dropped_without_an_error(phone: VirtualPhone) -> None:
    before = len(phone.state.messages.stored)
    insert = "content insert --uri content://sms/inbox --bind address:s:1 --bind body:s:x --bind type:i:1"
    result = await run(phone, insert)
    assert (result.text, result.exit_code) == ("", 0)
    assert len(phone.state.messages.stored) == before


@pytest.mark.parametrize(
    ("where", "count"),
    [("type=1", 2), ("address LIKE '%8000'", 1), ("body='Lunch tomorrow?'", 1), ("_id IN (1,2) AND read=1", 2),
     ("1=0", 0), ("address='+86 138 0013 8000' OR address='x'", 1)],
)  # fmt: skip
async def test_where_is_real_sql(phone: VirtualPhone, where: str, count: int) -> None:
    result = await run(phone, f'content query --uri content://sms --projection _id --where "{where}"')
    assert result.stdout.count("Row: ") == count
    assert (result.stdout == "No result found.\n") == (count == 0)


async def test_rows_are_sorted_as_asked(phone: VirtualPhone) -> None:
    line = "content query --uri content://sms --projection _id --sort '{}'"
    assert (await run(phone, line.format("_id DESC"))).stdout == "Row: 0 _id=2\nRow: 1 _id=1\n"
    assert (await run(phone, line.format("date DESC"))).stdout == "Row: 0 _id=1\nRow: 1 _id=2\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--uri content://sms --where \"x=='\"", "SQLiteException"),
        ("--uri content://sms --projection nosuch", "Invalid column nosuch"),
        ("--uri content://sms/nosuch", "Unknown URL"),
        ("--uri content://com.nobody/x", "Could not find provider: com.nobody"),
        ("--uri content://com.android.blockednumber/blocked", "java.lang.SecurityException"),
        ("--uri content://sms --where \"_id=1) UNION SELECT sql FROM sqlite_master --\"", "Exception"),
        ("--uri content://sms --where \"_id=(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
         "SELECT count(*) FROM c)\"", "interrupted"),
    ],
)  # fmt: skip
async def test_a_providers_refusal_is_printed_with_exit_status_zero(
    phone: VirtualPhone, arguments: str, said: str
) -> None:
    result = await run(phone, f"content query {arguments}")
    assert said in result.text
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "line", ["content", "content frobnicate", "content query", "content query --uri sms --where --x"]
)
async def test_arguments_that_content_refuses(phone: VirtualPhone, line: str) -> None:
    assert (await run(phone, line)).stdout.startswith("[ERROR] ")


async def test_a_contact_is_made_found_and_deleted(phone: VirtualPhone) -> None:
    raw = "content://com.android.contacts/raw_contacts"
    await run(phone, f"content insert --uri {raw} --bind account_type:n: --bind account_name:n:")
    newest = await run(phone, f"content query --uri {raw} --projection _id --sort '_id DESC'")
    assert newest.stdout.startswith("Row: 0 _id=4\n")
    data = "content insert --uri content://com.android.contacts/data --bind raw_contact_id:i:4"
    await run(phone, f"{data} --bind mimetype:s:vnd.android.cursor.item/name --bind 'data1:s:Bob: the O''Neil'")
    number = "--bind mimetype:s:vnd.android.cursor.item/phone_v2 --bind 'data1:s:+86 150' --bind data2:i:2"
    await run(phone, f"{data} {number}")
    phones = (
        "content query --uri content://com.android.contacts/data/phones --projection raw_contact_id:data1:display_name"
    )
    assert "raw_contact_id=4, data1=+86 150, display_name=Bob: the ONeil" in (await run(phone, phones)).stdout
    await run(phone, f"content delete --uri {raw}/4")
    assert "raw_contact_id=4" not in (await run(phone, phones)).stdout
    assert phone.state.contacts.find(4) is None


async def test_data_without_a_contact_is_refused(phone: VirtualPhone) -> None:
    data = "content insert --uri content://com.android.contacts/data --bind raw_contact_id:i:99"
    assert "FOREIGN KEY" in (await run(phone, f"{data} --bind mimetype:s:x --bind data1:s:y")).stderr


async def test_a_picture_goes_to_the_trash_and_back(phone: VirtualPhone) -> None:
    item = phone.state.media.add("Pictures/Screenshots", "Screenshot_1.png", START, 1000)
    images = "content://media/external/images/media"
    query = f"content query --uri {images} --projection _id:is_trashed"
    await run(phone, f"content update --uri {images}/{item.identifier} --bind is_trashed:i:1")
    assert (await run(phone, query)).stdout == "No result found.\n"
    by_id = f"content query --uri {images}/{item.identifier} --projection is_trashed:_display_name:date_expires"
    expires = int(START.timestamp()) + 30 * 86400
    shown = f"Row: 0 is_trashed=1, _display_name=.trashed-{expires}-Screenshot_1.png, date_expires={expires}\n"
    assert (await run(phone, by_id)).stdout == shown
    assert "Screenshot_1" not in (await run(phone, "ls /sdcard/Pictures/Screenshots")).stdout
    await run(phone, f"content update --uri {images}/{item.identifier} --bind is_trashed:i:0")
    assert (await run(phone, query)).stdout == f"Row: 0 _id={item.identifier}, is_trashed=0\n"
    assert "Screenshot_1.png\n" in (await run(phone, "ls /sdcard/Pictures/Screenshots")).stdout


async def test_a_deleted_file_leaves_the_media_store(phone: VirtualPhone) -> None:
    phone.state.media.add("DCIM/Camera", "IMG_1.jpg", START, 1000)
    await run(phone, "rm /sdcard/DCIM/Camera/IMG_1.jpg")
    assert phone.state.media.items == []


async def test_a_screenshot_on_the_phone_is_scanned_into_the_store(phone: VirtualPhone) -> None:
    path = "/sdcard/Pictures/Screenshots/Screenshot_now.png"
    line = f"screencap -p {path} && content call --uri content://media --method scan_file --arg {path}"
    assert "uri=content://media/external_primary/images/media/" in (await run(phone, line)).stdout
    assert [item.name for item in phone.state.media.items] == ["Screenshot_now.png"]


async def test_a_calendar_event_is_made_found_and_deleted(phone: VirtualPhone) -> None:
    events = "content://com.android.calendar/events"
    values = f"--bind calendar_id:i:1 --bind title:s:Dentist --bind dtstart:l:{NOW} --bind dtend:l:{NOW + 3600000}"
    await run(phone, f"content insert --uri {events} {values} --bind eventTimezone:s:Asia/Shanghai")
    found = await run(
        phone, f"content query --uri {events} --projection _id:title --where 'dtstart={NOW} AND deleted=0'"
    )
    assert found.stdout == "Row: 0 _id=1, title=Dentist\n"
    reminder = "content insert --uri content://com.android.calendar/reminders --bind event_id:i:1 --bind minutes:i:10"
    await run(phone, f"{reminder} --bind method:i:1")
    assert phone.state.calendar.events[0].reminders[0].minutes == 10
    await run(phone, f"content delete --uri {events}/1")
    assert phone.state.calendar.events == []


async def test_an_event_without_its_needed_values_is_refused(phone: VirtualPhone) -> None:
    line = "content insert --uri content://com.android.calendar/events --bind title:s:x --bind calendar_id:i:1"
    assert "must include dtstart" in (await run(phone, line)).stderr


async def test_instances_expand_repeating_events(phone: VirtualPhone) -> None:
    phone.state.calendar.add("Standup", START, rrule="FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4")
    week = 14 * 86400000
    line = (
        f"content query --uri content://com.android.calendar/instances/when/{NOW}/{NOW + week} --projection begin:title"
    )
    rows = (await run(phone, line)).stdout.splitlines()
    begins = [int(row.split("begin=")[1].split(",")[0]) for row in rows]
    assert [(begin - NOW) // 86400000 for begin in begins] == [0, 3, 5, 7]


async def test_calls_ring_are_answered_and_logged(phone: VirtualPhone) -> None:
    state = phone.state
    state.calls.ring("+86 138 0013 8000")
    assert "    mCallState=1\n" in (await run(phone, "dumpsys telephony.registry")).stdout
    state.calls.answer()
    assert "    mCallState=2\n" in (await run(phone, "dumpsys telephony.registry")).stdout
    assert "- Actual mode = MODE_IN_CALL" in (await run(phone, "dumpsys audio")).stdout
    state.advance(75)
    await run(phone, "input keyevent 6")
    assert "    mCallState=0\n" in (await run(phone, "dumpsys telephony.registry")).stdout
    rows = await run(phone, "content query --uri content://call_log/calls --projection number:name:duration:type")
    assert rows.stdout == "Row: 0 number=+86 138 0013 8000, name=Alice Chen, duration=75, type=1\n"


async def test_an_unanswered_call_is_missed_and_a_blocked_one_does_not_ring(phone: VirtualPhone) -> None:
    state = phone.state
    state.calls.blocked = ["4006001234"]
    state.calls.ring("400-600-1234")
    assert state.calls.current is None
    state.calls.ring("10086")
    state.calls.hang_up()
    assert [call.kind for call in state.calls.log] == [5, 3]
