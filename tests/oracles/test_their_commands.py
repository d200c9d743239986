"""Command lines of AndroidWorld and KnowU-Bench, in their spelling, on the phones that their proofs run on."""

from pathlib import Path

import pytest

import bench.oracles
import evaluation.knowu.tasks
from tests.phones import run
from virtual_phone import Scenario, VirtualPhone

_PHONES = {
    "androidworld": Path(bench.oracles.__file__).with_name("androidworld.yaml"),
    "knowu": Path(evaluation.knowu.tasks.__file__).with_name("phone.yaml"),
}
_SMS = "/data/data/com.android.providers.telephony/databases/mmssms.db"
_ALARMS = "/data/user_de/0/com.google.android.deskclock/databases/alarms.db"
_HISTORY = "/data/data/com.android.chrome/app_chrome/Default/History"
_ANDROIDWORLD = (
    "date 1015153423.00",
    "service call alarm 3 s16 UTC",
    f'sqlite3 {_SMS} "DELETE FROM threads;"',
    "ls /data/data/org.tasks/databases -ll -au",
    "mkdir -p /data/data/android_world/snapshots/org.tasks",
    "cp -a /data/data/org.tasks/. /data/data/android_world/snapshots/org.tasks/",
    "rm -r /data/data/org.tasks/databases/*",
    "am stack list | grep -E visible=true",
    "am broadcast -a clipper.set -e text hello",
    "am broadcast -a android.intent.action.MEDIA_SCANNER_SCAN_FILE -d file:///storage/emulated/0/Music",
    "pm clear com.android.providers.contacts",
    "content query --uri content://contacts/phones/ --projection display_name:number",
    "am start -S -W -n de.dennisguse.opentracks/de.dennisguse.opentracks.TrackListActivity",
)
_KNOWU = (
    "su 0 date 052223002026.00",
    "su root date 0522230026.00",
    f'sqlite3 {_ALARMS} "DELETE FROM alarm_templates WHERE hour=7 AND minutes=30;"',
    f'su 0 sqlite3 {_ALARMS} "SELECT hour, blackout_end FROM alarm_templates WHERE hour=7;"',
    'sqlite3 -json /data/user/0/org.fossify.calendar/databases/events.db "select * from events"',
    f"su 0 sh -c 'cp {_HISTORY} /data/local/tmp/h && chmod 666 /data/local/tmp/h'",
    "su 0 am broadcast -a android.bluetooth.device.action.ACL_DISCONNECTED",
)  # fmt: skip


def phone_of(name: str) -> VirtualPhone:
    """The phone of an oracle's scenario."""
    return VirtualPhone(Scenario.load(_PHONES[name]).new_state())


@pytest.mark.parametrize("line", _ANDROIDWORLD)
async def test_androidworlds_commands_succeed(line: str) -> None:
    result = await run(phone_of("androidworld"), line)
    assert (result.stderr, result.exit_code) == ("", 0)


@pytest.mark.parametrize("line", _KNOWU)
async def test_knowu_benchs_commands_succeed(line: str) -> None:
    result = await run(phone_of("knowu"), line)
    assert (result.stderr, result.exit_code) == ("", 0)
