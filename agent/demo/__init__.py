"""``heed demo``: a day of a virtual phone, monitored by the real agent."""

from agent.demo.emulator import play_on_emulator
from agent.demo.moments import Moment, ScriptedChannel
from agent.demo.pace import Pace
from agent.demo.play import play_day

__all__ = ["Moment", "Pace", "ScriptedChannel", "play_day", "play_on_emulator"]
