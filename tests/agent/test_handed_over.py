"""After a page was handed over, later pages can be offered again, through the whole loop."""

from pathlib import Path

from agent.demo import play_day
from virtual_phone.scenario import Scenario

BILL = "City Power: your electricity bill for January, 120 yuan, is due on Friday. Pay in the app or at your bank."
PARCEL = "【菜鸟驿站】您的中通快递已到南门菜鸟驿站，请凭取件码5-2-3017于21:00前取件，地址南门12号"
DAY = f"""
name: day
start: 2026-02-06T14:00:00+08:00
state: {{messages: [], alarms: [], calendar: []}}
timeline:
  - at: "14:05"
    sms: {{from: CityPower, text: "{BILL}"}}
    expect: pay_bill
    answer: once
  - {{at: "14:07", sms: {{from: "106900008888", text: "{PARCEL}"}}, expect: silence}}
  - {{at: "14:20", advance: {{minutes: 0}}, expect: show_pickup_code, answer: once}}
"""


async def test_an_offer_waits_while_a_payment_page_was_just_opened_and_is_made_when_it_was_left(tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(DAY, "utf-8")
    moments = [moment async for moment in play_day(tmp_path, scenario=Scenario.load(tmp_path / "day.yaml"))]
    assert [f"{moment.at} {moment.expected}: {moment.reason}" for moment in moments if not moment.as_expected] == []
    assert "payment app" in moments[1].reason
