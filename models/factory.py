"""From configuration to reasoner."""

from importlib.util import find_spec

from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.language import Language
from heed.paths import cache_dir
from models.config import ModelsConfig, ReasonerKind
from models.engine import Engine
from models.llama.engine import LlamaEngine
from models.llama.files import locate
from models.llama.process import ModelProcess, new_process
from models.prompt import PromptBuilder
from models.prompt.template import Template, load
from models.vlm import Render, VlmReasoner


def language_model(config: ModelsConfig, *, render: Render, language: Language, clock: Clock) -> VlmReasoner:
    """The reasoner of ``config.reasoner``, which is one with a language model; nothing is loaded yet."""
    template = load(config.prompt.template)
    engine = _engine(config, template, clock)
    builder = PromptBuilder(template, language, config.prompt.format, config.prompt.limits)
    return VlmReasoner(engine, builder, render, language=language, output=config.prompt.format)


def _engine(config: ModelsConfig, template: Template, clock: Clock) -> Engine:
    if config.reasoner is not ReasonerKind.LLAMA:
        raise UsageError(f"{config.reasoner} is not a language model.", "Set models.reasoner to llama or openai.")

    def process() -> ModelProcess:
        if find_spec("llama_cpp") is None:
            raise ModelError(
                "llama.cpp is not installed.", "Install heed-android[llama]; it compiles for some minutes."
            )
        files = locate(config.llama)
        return new_process(files.model, files.mmproj, config.llama, cache_dir() / "prefixes", clock)

    return LlamaEngine(process, config.llama, config.prompt.format, config.prompt.limits, template.style)
