"""The trajectory: the owner's steps on the phone in the last ten minutes."""

from collectors.trajectory.recorder import Recorder
from collectors.trajectory.source import StepSource
from collectors.trajectory.steps import StepKind, TrajectoryStep

__all__ = ["Recorder", "StepKind", "StepSource", "TrajectoryStep"]
