"""Pictures in a record's trace put into words, for whoever reads only words."""

import asyncio
from pathlib import Path

from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.metrics import ProactivePrediction
from evaluation.proactivemobile.run import Predictor
from function_pool.spec import Pool
from models.perceptor.ocr import PictureReader


class WithWords:
    """A predictor that is told what stands in a record's pictures, each at its place in the trace."""

    def __init__(self, inner: Predictor, reader: PictureReader, folder: Path) -> None:
        self._inner, self._reader, self._folder = inner, reader, folder
        self._one_at_a_time = asyncio.Lock()

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        """What ``inner`` makes of the record with its words."""
        if case.pictures:
            async with self._one_at_a_time:
                case = await asyncio.to_thread(self._told, case)
        return await self._inner.predict(case, pool)

    def _told(self, case: ProactiveCase) -> ProactiveCase:
        trace = list(case.said.trace)
        # From the last one on, so that what is put in does not move the places that are still to come.
        for picture, place in reversed([*zip(case.pictures, case.places, strict=True)]):
            lines = self._reader.lines(self._folder / picture)
            if lines:
                trace.insert(place, " / ".join(lines))
        return case.model_copy(update={"said": case.said.model_copy(update={"trace": tuple(trace)})})
