"""Plays a scenario on a virtual phone or an emulator while heed monitors it as in ``heed run``."""

from agent.demo.emulator_playback import play_on_emulator
from agent.demo.moment import DemoMoment
from agent.demo.playback_control import PlaybackControl
from agent.demo.scripted_owner import ScriptedChannel
from agent.demo.virtual_playback import play_day

__all__ = ["DemoMoment", "PlaybackControl", "ScriptedChannel", "play_day", "play_on_emulator"]
