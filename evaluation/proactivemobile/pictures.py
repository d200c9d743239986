"""Records whose trace is pictures alone, put into words for whoever reads only words."""

import asyncio
from pathlib import Path

from evaluation.proactivemobile.cases import Case
from evaluation.proactivemobile.metrics import Prediction
from evaluation.proactivemobile.run import Predictor
from function_pool.spec import Pool
from models.perceptor.ocr import PictureReader


class WithWords:
    """A predictor that is told what stands in a record's pictures, where its trace has no text of its own."""

    def __init__(self, inner: Predictor, reader: PictureReader, folder: Path) -> None:
        self._inner, self._reader, self._folder = inner, reader, folder
        self._one_at_a_time = asyncio.Lock()

    async def predict(self, case: Case, pool: Pool) -> Prediction:
        """What ``inner`` makes of the record with its words."""
        if case.pictures and not case.said.trace:
            async with self._one_at_a_time:
                case = await asyncio.to_thread(self._told, case)
        return await self._inner.predict(case, pool)

    def _told(self, case: Case) -> Case:
        screens = (" / ".join(self._reader.lines(self._folder / picture)) for picture in case.pictures)
        trace = tuple(filter(None, screens))
        return case.model_copy(update={"said": case.said.model_copy(update={"trace": trace})})
