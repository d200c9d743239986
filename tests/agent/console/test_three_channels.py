"""Terminal, console and phone answer at once, each over its real way in: exactly one counts, and the plan runs once."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import httpx
from rich.console import Console as Screen

from agent.consent.terminal import TerminalChannel
from agent.loop.progress import ConsentAnswered, ProgressEvent, StepFinished
from android_bridge.adb import AdbServer
from heed.language import Language
from tests.agent.console.house import monitored
from tests.agent.console.phone_browser import on_the_phone, tap
from tests.agent.make import let_time_pass
from tests.phones import START
from tests.proof import examples
from virtual_phone import VirtualPhone


async def test_of_three_answers_at_once_one_counts_and_the_plan_runs_once(
    tmp_path: Path, adb_server: AdbServer, phone: VirtualPhone
) -> None:
    events: list[ProgressEvent] = []
    reading, typing = os.pipe()
    with os.fdopen(reading) as keyboard, open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        terminal = TerminalChannel(Screen(file=nowhere), Language.EN, keyboard)
        async with (
            monitored(tmp_path, adb_server, phone, on_phone=True, channels=[terminal], listen=events.append) as house,
            on_the_phone(house),
            house.signed_in() as console,
        ):
            for number in range(examples(2, full=3)):  # the policy allows three suggestions an hour
                events.clear()
                # What was done within the last minutes is not suggested again.
                phone.state.clock.jump(START + number * timedelta(minutes=15))
                let_time_pass(house.runtime.stores, minutes=15)
                phone.state.power.set_saver(False)
                phone.state.battery.set(level=50, charger="usb")
                phone.state.battery.set(level=15, charger="none")
                question = await house.question(console)
                page, _, token = (await tap(house)).partition("/#")
                body = {"plan_hash": question["plan_hash"], "answer": "once"}
                async with httpx.AsyncClient(base_url=page, trust_env=False, timeout=30) as browser:
                    headers = {"Origin": page, "X-Heed-Token": token}
                    on_page, on_phone, _ = await asyncio.gather(
                        console.post(f"/api/questions/{question['plan_id']}", json=body),
                        browser.post("/consent/answer", json=body, headers=headers),
                        asyncio.to_thread(os.write, typing, b"o\n"),
                    )
                await house.until(lambda: any(isinstance(event, StepFinished) for event in events))
                winner = [event.given.channel for event in events if isinstance(event, ConsentAnswered)]
                accepted = [
                    name for name, reply in (("console", on_page), ("phone", on_phone)) if reply.status_code == 200
                ]
                assert len(winner) == 1
                assert accepted == ([] if winner == ["terminal"] else winner)
                assert phone.state.power.saver
                assert sum(isinstance(event, StepFinished) for event in events) == 1
    os.close(typing)
