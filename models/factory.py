"""Creates the language-model reasoner from the configuration."""

from importlib.util import find_spec

from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.language import Language
from heed.messages import msg
from heed.paths import cache_dir
from models.config import ModelsConfig, ReasonerKind
from models.engine import Engine
from models.grammar import OutputFormat
from models.prompt import PromptBuilder
from models.prompt.template import Template, load
from models.vlm import Render, VlmReasoner


def language_model(config: ModelsConfig, *, render: Render, language: Language, clock: Clock) -> VlmReasoner:
    """The reasoner of ``config.reasoner``, which is one with a language model; nothing is loaded yet."""
    template = load(config.prompt.template)
    output = _output(config)
    builder = PromptBuilder(template, language, output, config.prompt.limits)
    return VlmReasoner(_engine(config, output, template, clock), builder, render, language=language, output=output)


def _output(config: ModelsConfig) -> OutputFormat:
    """A server that is held to a JSON schema answers in JSON; every other model in the configured format."""
    by_schema = config.reasoner is ReasonerKind.OPENAI and config.openai.constraint == "schema"
    return OutputFormat.JSON if by_schema else config.prompt.format


def _engine(config: ModelsConfig, output: OutputFormat, template: Template, clock: Clock) -> Engine:
    match config.reasoner:
        case ReasonerKind.LLAMA:
            return _llama(config, output, template, clock)
        case ReasonerKind.OPENAI:
            # It brings an HTTP client, which takes a tenth of a second to import.
            from models.openai.engine import OpenAIEngine

            return OpenAIEngine(config.openai, output, config.prompt.limits, template.style, clock)
        case _:
            raise UsageError(
                msg("{reasoner} is not a language model.", reasoner=config.reasoner),
                msg("Set models.reasoner to llama or openai."),
            )


def _llama(config: ModelsConfig, output: OutputFormat, template: Template, clock: Clock) -> Engine:
    if find_spec("llama_cpp") is None:
        raise ModelError(
            msg("llama.cpp is not installed."), msg("Install heed-android[llama]; it compiles for some minutes.")
        )
    from models.llama.engine import LlamaEngine
    from models.llama.files import locate
    from models.llama.process import ModelProcess, new_process

    def process() -> ModelProcess:
        files = locate(config.llama)
        return new_process(files.model, files.mmproj, config.llama, cache_dir() / "prefixes", clock)

    return LlamaEngine(process, config.llama, output, config.prompt.limits, template.style)
