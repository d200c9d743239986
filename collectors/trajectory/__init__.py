"""The behavioural trajectory: what the person did in the last minutes, step by step."""

from collectors.trajectory.recorder import Recorder
from collectors.trajectory.source import StepSource
from collectors.trajectory.steps import StepKind, TrajectoryStep

__all__ = ["Recorder", "StepKind", "StepSource", "TrajectoryStep"]
