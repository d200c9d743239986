"""``heed demo``: a day in the life of a virtual phone, attended for real."""

from agent.demo.pace import Pace
from agent.demo.play import Moment, ScriptedChannel, play_day

__all__ = ["Moment", "Pace", "ScriptedChannel", "play_day"]
