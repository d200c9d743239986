"""The situations of phone and calendar through the whole loop: days with needs and look-alikes, English and Chinese."""

from pathlib import Path

import pytest

from agent.demo import play_day
from heed.language import Language
from virtual_phone.scenario import Scenario

ENGLISH = """
name: builder
start: 2026-08-13T08:00:00+10:00
timezone: Australia/Sydney
persona: {quiet_hours: "23:30-05:00"}
state:
  battery: 80
  place: home
  wifi: DalyHome
  ringer: normal
  messages: []
  contacts: [{name: Lorraine, number: "+61 491 572 665"}]
  alarms: [{time: "06:30", days: [mon, tue, wed, thu, fri]}]
  bluetooth: {enabled: true, devices: {HiLux: false, Buds: false}}
  calendar:
    - {title: Site safety briefing, start: 2026-08-13T09:30:00+10:00, end: 2026-08-13T10:15:00+10:00, location: Shed 2}
    - {title: Team lunch, start: 2026-08-13T12:00:00+10:00, end: 2026-08-13T13:00:00+10:00}
    - title: Supplier call
      start: 2026-08-13T13:30:00+10:00
      end: 2026-08-13T13:40:00+10:00
      description: "Zoom https://us02web.zoom.us/j/84512345678 passcode 4411"
    - {title: Quote Hendy, start: 2026-08-13T15:15:00+10:00, end: 2026-08-13T16:00:00+10:00, location: 63 Park Drive}
timeline:
  - {at: "09:28", advance: {minutes: 0}, expect: set_do_not_disturb, answer: once}
  - {at: "11:58", advance: {minutes: 0}, expect: silence}
  - {at: "12:30", call: {from: "+61 2 5550 1234", action: ring}, expect: silence}
  - {at: "12:31", call: {action: hang_up}, expect: silence}
  - {at: "12:40", call: {from: "+61 491 572 665", action: ring}, expect: silence}
  - {at: "12:41", call: {action: hang_up}, expect: make_phone_call}
  - {at: "13:29", advance: {minutes: 0}, expect: join_online_meeting}
  - {at: "14:20", bluetooth: {device: Buds, connected: true}, expect: silence}
  - {at: "14:21", bluetooth: {device: Buds, connected: false}, expect: silence}
  - {at: "14:25", bluetooth: {device: HiLux, connected: true}, expect: plan_route_and_navigate}
  - {at: "14:55", bluetooth: {device: HiLux, connected: false}, expect: silence}
"""

EVENING = """
name: clerk
start: 2026-10-14T19:30:00-05:00
timezone: America/Chicago
state:
  battery: 60
  messages: []
  alarms: [{time: "05:45", days: [mon, tue, wed, thu, fri]}]
  calendar: []
timeline:
  - {at: "19:40", calendar: {title: Breakfast with Jo, start: 2026-10-15T08:00:00-05:00}, expect: silence}
  - {at: "20:52", battery: {level: 55}, expect: silence}
  - {at: "20:58", calendar: {title: Picture day - open the office, start: 2026-10-15T06:00:00-05:00}, expect: set_alarm}
"""

CHINESE = """
name: zhou
start: 2026-11-20T08:00:00+08:00
language: zh
persona: {quiet_hours: "23:30-06:00"}
state:
  battery: 80
  place: home
  wifi: home-5g
  ringer: normal
  messages: []
  contacts: [{name: 丈母娘, number: "13588402917"}]
  alarms: [{time: "06:05", days: [mon, tue, wed, thu, fri]}]
  bluetooth: {enabled: true, devices: {"BYD Seal": false}}
  calendar:
    - {title: 双11排期会, start: 2026-11-20T10:00:00+08:00, end: 2026-11-20T11:00:00+08:00, location: 6楼大会议室}
    - {title: 线上组会, start: 2026-11-20T14:00:00+08:00, description: "腾讯会议 会议号 628 144 709"}
    - {title: 市赛课 学校北门集合, start: 2026-11-21T06:30:00+08:00, location: 学校北门}
timeline:
  - {at: "08:20", radio: {mobile_data: false}, expect: silence}
  - {at: "08:50", place: {name: 路口, latitude: 30.3, longitude: 120.2, wifi: ""}, expect: set_connectivity}
  - {at: "09:58", advance: {minutes: 0}, expect: set_do_not_disturb, answer: once}
  - {at: "12:37", call: {from: "13588402917", action: ring}, expect: silence}
  - {at: "12:38", call: {action: hang_up}, expect: make_phone_call}
  - {at: "13:59", advance: {minutes: 0}, expect: join_online_meeting}
  - {at: "18:35", bluetooth: {device: BYD Seal, connected: true}, expect: silence}
  - {at: "18:55", bluetooth: {device: BYD Seal, connected: false}, expect: silence}
  - {at: "20:00", screen: {to: "off"}, expect: silence}
  - {at: "22:31", screen: {to: unlocked}, expect: set_alarm}
"""


@pytest.mark.parametrize("day", [ENGLISH, EVENING, CHINESE], ids=["builder", "clerk", "zhou"])
async def test_needs_are_noticed_and_look_alikes_are_not(day: str, tmp_path: Path) -> None:
    (tmp_path / "day.yaml").write_text(day, "utf-8")
    scenario = Scenario.load(tmp_path / "day.yaml")
    moments = [one async for one in play_day(tmp_path, scenario=scenario, language=Language(scenario.language))]
    assert [f"{one.at} {one.expected}: {one.sentence or one.reason}" for one in moments if not one.as_expected] == []
