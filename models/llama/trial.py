"""A model on trial: made-up moments of a phone, decided by the real engine, for checks and measurements."""

import hashlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from PIL import Image, ImageDraw

from collectors.context import RenderedContext, StoredFrame
from function_pool.spec import Pool
from heed.clock import Clock
from heed.language import Language
from models.config import LlamaConfig, PromptConfig
from models.engine import DecisionRequest
from models.grammar import Limits
from models.llama.engine import LlamaEngine
from models.llama.files import ModelFiles
from models.llama.process import ModelProcess, new_process
from models.llama.protocol import DecideReply
from models.prompt import PromptBuilder
from models.prompt.template import load

_PATIENCE = 600.0
"""Seconds that one decision may take."""
_MOMENT = datetime(2026, 2, 6, 22, 40, tzinfo=UTC)
_PROFILE = (
    "Ann Lee, 34, nurse. Wakes at 06:30 on weekdays and sleeps in at weekends. Saves power when the battery is low."
)
_HABITS = (
    'set_alarm {"time": "06:30"}: Done on 22 of the last 25 days from Monday to Friday, around 22:40.',
    'set_power_saving_mode {"enabled": true}: Done 9 of 11 times after such an event.',
)
_LOG = ("2026-01-30 22:35, home: set the alarm for the early shift", "2026-02-02 22:50, home: turned on battery saver")
_SCREEN = (540, 1200)
_SHORT = Limits(calls=1, sentence=60, text=40, items=2)
"""Answers that end soon, whatever the weights."""


class Trial:
    """Decides made-up moments; each differs from the last one only in its end."""

    def __init__(self, engine: LlamaEngine, builder: PromptBuilder, pool: Pool, folder: Path) -> None:
        self.engine = engine
        self._builder = builder
        self._pool = pool
        self._folder = folder

    def request(self, moment: int, frames: Sequence[StoredFrame] = ()) -> DecisionRequest:
        """The decision of a moment: its number is the battery's level."""
        trace = tuple(f"22:{minute:02d} opened the clock app" for minute in range(moment % 5))
        context = RenderedContext(
            profile=_PROFILE,
            phone=f"Friday 2026-02-06 22:40, battery {moment % 100} %, not charging, alarm at 06:30 tomorrow.",
            world="Dublin, 4 °C, rain.",
            trace=(*trace, f"battery at {moment % 100} %"),
            habits=_HABITS,
            log=_LOG,
        )
        prompt = self._builder.build(self._pool, context, frames)
        return DecisionRequest(prompt=prompt, pool=self._pool, candidates=tuple(self._pool.functions), now=_MOMENT)

    async def decide(self, moment: int, frames: Sequence[StoredFrame] = ()) -> DecideReply:
        """The decision of a moment, measured."""
        return await self.engine.decide(self.request(moment, frames), timeout=_PATIENCE)

    def frame(self, number: int) -> StoredFrame:
        """A drawn screenshot; the number is on it."""
        image = Image.new("RGB", _SCREEN, "white")
        draw = ImageDraw.Draw(image)
        for row in range(20):
            draw.text(
                (30, 40 + 55 * row), f"Message {number}.{row}: shall we meet at {row}:{number:02d}?", fill="black"
            )
        path = self._folder / f"screen-{number}.png"
        image.save(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return StoredFrame(sha256=digest, path=str(path), width=image.width, height=image.height, taken_at=_MOMENT)


@asynccontextmanager
async def on_trial(
    files: ModelFiles, config: LlamaConfig, prompt: PromptConfig, pool: Pool, clock: Clock
) -> AsyncIterator[Trial]:
    """A trial of a model in a process of its own, with no saved prefixes."""
    template = load(prompt.template)
    builder = PromptBuilder(template, Language.EN, prompt.format, _SHORT)
    with tempfile.TemporaryDirectory() as folder:

        def process() -> ModelProcess:
            return new_process(files.model, files.mmproj, config, Path(folder) / "prefixes", clock, files.adapter)

        engine = LlamaEngine(process, config, prompt.format, _SHORT, template.style)
        try:
            yield Trial(engine, builder, pool, Path(folder))
        finally:
            await engine.close()
