"""The source of the recorder's steps; the agent adds it to the sources of a phone with a recorder."""

from collections.abc import Iterable

from collectors.config import CollectorsConfig
from collectors.context import Dimension
from collectors.source import PhoneValues, Reading, Source
from collectors.trajectory.recorder import Recorder
from heed.trust import Trust


class StepSource(Source):
    """The steps of the last ten minutes; third parties may have written the screen text in them."""

    name = "steps"
    dimension = Dimension.TRAJECTORY

    def __init__(self, config: CollectorsConfig, recorder: Recorder) -> None:
        super().__init__(config)
        self._recorder = recorder

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        steps = self._recorder.steps(phone.now)
        if not steps:
            return []
        value = [step.value(phone.now, self.config.language) for step in steps]
        return [Reading("trajectory.steps", value, Trust.THIRD_PARTY, origin="trajectory recorder")]
