"""The providers' databases: what is read is the state, and what is written changes it."""

import sqlite3
from pathlib import Path

import pytest

from tests.phones import START, run
from virtual_phone import PhoneState, VirtualPhone

SMS = "/data/data/com.android.providers.telephony/databases/mmssms.db"
CONTACTS = "/data/data/com.android.providers.contacts/databases/contacts2.db"
CALLS = "/data/data/com.android.providers.contacts/databases/calllog.db"
CALENDAR = "/data/data/com.android.providers.calendar/databases/calendar.db"
ALARMS = "/data/user_de/0/com.google.android.deskclock/databases/alarms.db"
HISTORY = "/data/data/com.android.chrome/app_chrome/Default/History"
BUGLE = "/data/data/com.google.android.apps.messaging/databases/bugle_db"
NAMES = (
    "SELECT display_name, data1 FROM raw_contacts JOIN data ON raw_contact_id = raw_contacts._id "
    "JOIN mimetypes ON mimetype_id = mimetypes._id WHERE mimetype LIKE '%phone_v2'"
)


@pytest.fixture
def rooted() -> VirtualPhone:
    """A build for developers with an event, a call and a visited page."""
    state = PhoneState.standard(now=START, rooted=True)
    state.clock.freeze()
    state.identity.adbd_user = "root"
    state.calendar.remind(state.calendar.add("Dentist", START), 10)
    state.calls.dial("10086")
    state.calls.hang_up()
    state.calls.block("+1 555 0100")
    state.browsing.visit("https://example.org/a")
    state.browsing.visit("https://example.org/b")
    return VirtualPhone(state)


async def sql(phone: VirtualPhone, path: str, statement: str) -> str:
    """The output of a statement that runs without an error."""
    result = await run(phone, f"sqlite3 {path}", stdin=statement.encode())
    assert (result.stderr, result.exit_code) == ("", 0)
    return result.stdout


@pytest.mark.parametrize(
    ("path", "statement", "output"),
    [
        (SMS, "SELECT address, body, type FROM sms WHERE _id = 1", "+86 138 0013 8000|Lunch tomorrow?|1\n"),
        (SMS, "SELECT _id, message_count, snippet FROM threads ORDER BY 1 LIMIT 1", "1|1|Lunch tomorrow?\n"),
        (CONTACTS, f"{NAMES} ORDER BY 1 LIMIT 1", "Alice Chen|+86 138 0013 8000\n"),
        (CALLS, "SELECT number, type FROM calls", "10086|2\n"),
        (CALENDAR, "SELECT title, minutes FROM Events JOIN Reminders ON event_id = Events._id", "Dentist|10\n"),
        (ALARMS, "SELECT hour, minutes, daysofweek, enabled, label FROM alarm_templates", "7|0|31|1|Work\n"),
        (HISTORY, "SELECT url FROM urls ORDER BY id DESC", "https://example.org/b\nhttps://example.org/a\n"),
        (BUGLE, "SELECT normalized_destination FROM participants WHERE blocked = 1", "+15550100\n"),
    ],
)
async def test_reading_shows_the_state(rooted: VirtualPhone, path: str, statement: str, output: str) -> None:
    assert await sql(rooted, path, f"{statement};") == output


@pytest.mark.parametrize(
    ("path", "statement", "then", "output"),
    [
        (SMS, "DELETE FROM sms", "content query --uri content://sms", "No result found.\n"),
        (SMS, "INSERT INTO sms (address, body, date, type, read) VALUES ('10086', 'hi', 1, 2, 1)",
         "content query --uri content://sms/sent --projection address:body", "Row: 0 address=10086, body=hi\n"),
        (SMS, "UPDATE sms SET read = 0 WHERE _id = 1",
         "content query --uri content://sms --projection _id --where 'read=0'", "Row: 0 _id=1\n"),
        (CONTACTS, "DELETE FROM raw_contacts WHERE display_name <> 'Mum'",
         "content query --uri content://com.android.contacts/contacts --projection display_name",
         "Row: 0 display_name=Mum\n"),
        (CONTACTS, "INSERT INTO raw_contacts (_id) VALUES (99);"
         "INSERT INTO data (raw_contact_id, mimetype_id, data1) SELECT 99, _id, 'Zoe' FROM mimetypes "
         "WHERE mimetype LIKE '%/name'",
         "content query --uri content://com.android.contacts/contacts --projection display_name --where '_id=99'",
         "Row: 0 display_name=Zoe\n"),
        (CALLS, "DELETE FROM calls", "content query --uri content://call_log/calls", "No result found.\n"),
        (CALENDAR, "UPDATE Events SET title = 'Dentist at 9', allDay = 1; DELETE FROM Reminders",
         "content query --uri content://com.android.calendar/events --projection title:allDay:hasAlarm",
         "Row: 0 title=Dentist at 9, allDay=1, hasAlarm=0\n"),
        (BUGLE, "UPDATE participants SET blocked = 0", "echo", "\n"),
        (HISTORY, "DELETE FROM urls WHERE url LIKE '%/b'", "echo", "\n"),
    ],
)  # fmt: skip
async def test_writing_changes_the_state(
    rooted: VirtualPhone, path: str, statement: str, then: str, output: str
) -> None:
    await sql(rooted, path, f"{statement};")
    assert (await run(rooted, then)).stdout == output


async def test_blocked_numbers_and_pages_follow_their_databases(rooted: VirtualPhone) -> None:
    await sql(rooted, BUGLE, "UPDATE participants SET blocked = 0;")
    await sql(rooted, HISTORY, "DELETE FROM urls WHERE url LIKE '%/b';")
    assert rooted.state.calls.blocked == []
    assert rooted.state.browsing.visited == ["https://example.org/a"]


async def test_an_alarm_that_is_written_rings(rooted: VirtualPhone) -> None:
    columns = "hour, minutes, daysofweek, enabled, vibrate, label"
    await sql(rooted, ALARMS, f"INSERT INTO alarm_templates ({columns}) VALUES (15, 30, 0, 1, 1, 'Tea');")
    rooted.state.advance(2 * 3600)
    assert [moment.hour for _, moment in rooted.state.alarms.fired] == [15]


async def test_what_the_phone_cannot_store_is_refused_and_changes_nothing(rooted: VirtualPhone) -> None:
    before = rooted.state.to_json()
    result = await run(rooted, f"sqlite3 {ALARMS} 'UPDATE alarm_templates SET hour = 31'")
    assert result.exit_code == 1 and result.stderr.startswith("Error: ")
    assert rooted.state.to_json() == before


async def test_a_database_is_pulled_changed_and_pushed_back(rooted: VirtualPhone, tmp_path: Path) -> None:
    copy = tmp_path / "mmssms.db"
    copy.write_bytes(rooted.shell().files.read(SMS).read())
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE sms SET body = 'changed' WHERE _id = 2")
    connection.close()
    writer = rooted.shell().files.open_writer(SMS)
    writer.write(copy.read_bytes())
    writer.close()
    assert [message.body for message in rooted.state.messages.stored] == ["Lunch tomorrow?", "changed"]


@pytest.mark.parametrize(
    ("line", "stdout", "stderr"),
    [
        (f"sqlite3 -json {SMS} 'SELECT 1 AS n, 1.5 AS x, NULL AS y'", '[{"n":1,"x":1.5,"y":null}]\n', ""),
        (f"sqlite3 -header -separator , {SMS} 'SELECT 1 AS a, 2.0 AS b'", "a,b\n1,2.0\n", ""),
        (f"sqlite3 -csv {SMS} \"SELECT 'a b', 'c'\"", '"a b",c\n', ""),
        (f"sqlite3 -line {SMS} 'SELECT 1 AS a'", "a = 1\n", ""),
        (f"sqlite3 {SMS} .tables", "canonical_addresses sms threads\n", ""),
        (f"sqlite3 {SMS} 'SELECT * FROM nosuch'", "", "Error: in prepare, no such table: nosuch\n"),
        ("sqlite3 /data/nosuch/x.db 'SELECT 1'", "",
         'Error: unable to open database "/data/nosuch/x.db": unable to open database file\n'),
        ("sqlite3 /data/x 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'; sqlite3 /data/x .tables", "t\n", ""),
    ],
)  # fmt: skip
async def test_the_sqlite_shell_prints_as_sqlites_own(
    rooted: VirtualPhone, line: str, stdout: str, stderr: str
) -> None:
    result = await run(rooted, line)
    assert (result.stdout, result.stderr) == (stdout, stderr)


async def test_an_app_makes_its_missing_databases_when_it_starts(rooted: VirtualPhone) -> None:
    app = rooted.state.apps.install("org.example.notes", "Notes")
    app.databases = {"databases/notes.db": "CREATE TABLE notes (title TEXT);"}
    path = "/data/data/org.example.notes/databases/notes.db"
    rooted.state.apps.open("org.example.notes")
    assert await sql(rooted, path, "INSERT INTO notes VALUES ('a'); SELECT * FROM notes;") == "a\n"
    assert (await run(rooted, f"pm clear org.example.notes; ls {path} 2>&1")).stdout.endswith(
        "No such file or directory\n"
    )
