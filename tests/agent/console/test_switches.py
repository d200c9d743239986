"""What is switched in the console counts from the next decision on, and after a restart."""

from pathlib import Path

from android_bridge.adb import AdbServer
from tests.agent.console.house import monitored
from virtual_phone import VirtualPhone


async def test_a_situation_that_is_switched_on_speaks_at_once_and_still_after_a_restart(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    started = monitored(tmp_path, adb_server, phone, situations=frozenset(), reader=False)
    async with started as house, house.signed_in() as client:
        phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")
        await house.decided(1)
        assert house.decisions()[0] == "no_recommendation"
        answer = await client.post("/api/situations/new_number", json={"on": True})
        answer.raise_for_status()
        phone.state.messages.receive("+86 150 2233 4466", "hi, this is Bob, my new number")
        assert (await house.answer(client, "not_now"))["steps"][0]["function"] == "save_contact"
    async with monitored(tmp_path, adb_server, phone, situations=frozenset()) as house, house.signed_in() as client:
        shown = {one["id"]: one["on"] for one in (await client.get("/api/learnt")).json()["situations"]}
        assert [name for name, on in shown.items() if on] == ["new_number"]


async def test_a_situation_that_is_switched_off_is_silent_and_an_unknown_one_is_refused(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    async with monitored(tmp_path, adb_server, phone, reader=False) as house, house.signed_in() as client:
        (await client.post("/api/situations/new_number", json={"on": False})).raise_for_status()
        phone.state.messages.receive("+86 150 2233 4455", "hi, this is Bob, my new number")
        await house.decided(1)
        assert house.decisions()[0] == "no_recommendation"
        assert (await client.post("/api/situations/nonsense", json={"on": True})).is_client_error
