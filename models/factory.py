"""Creates the language-model reasoner from the configuration."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from collectors.context import LogEntry
from function_pool.plugins import installed_pool
from function_pool.pool_map import benchmark_map, load_pool_map
from function_pool.spec import load_pool
from heed.clock import Clock
from heed.errors import ModelError, UsageError
from heed.language import Language
from heed.messages import msg
from heed.paths import cache_dir
from models.config import ModelsConfig, PromptConfig, ReasonerKind
from models.engine import Engine, JsonModel
from models.grammar import JsonStyle, OutputFormat
from models.prompt import PromptBuilder
from models.prompt.history import HistoryReader
from models.prompt.template import Template, load
from models.routines.mining.habit import Habit
from models.vlm import OtherPool, Render, VlmReasoner

if TYPE_CHECKING:
    from models.llama.engine import LlamaEngine


class Past(NamedTuple):
    """The sources of what a prompt says of the past."""

    habits: Callable[[], Sequence[Habit]]
    entries: Callable[[], Sequence[LogEntry]]
    """Of the behaviour log, oldest first."""


def language_model(
    config: ModelsConfig, *, render: Render, language: Language, clock: Clock, past: Past | None = None
) -> VlmReasoner:
    """Returns the reasoner of ``config.reasoner``, which is one with a language model; nothing is loaded yet.

    Args:
        config: the section ``models``.
        render: renders contexts.
        language: of prompts, unless the template has only another one.
        clock: measures what decisions take.
        past: what prompts quote of the past; None = nothing.

    Raises:
        UsageError: a template, pool or pool map cannot be used, or ``config.reasoner`` is none with a language model.
        ModelError: llama.cpp is not installed.
    """
    template = load(config.prompt.template)
    output = _output(config)
    builder = PromptBuilder(template, language, output, config.prompt.limits)
    return VlmReasoner(
        _engine(config, output, template, clock),
        builder,
        render,
        output=output,
        history=_history(config.prompt, template, past),
        other=other_pool(config.prompt),
    )


def json_model(config: ModelsConfig, kind: ReasonerKind, clock: Clock) -> JsonModel:
    """Returns the model of a kind for single questions, whichever reasoner decides; nothing is loaded yet.

    Args:
        config: the section ``models``.
        kind: ``llama`` or ``openai``.
        clock: measures what answers take.

    Raises ``ModelError`` where llama.cpp is not installed, ``UsageError`` for an address that is none.
    """
    if kind is ReasonerKind.OPENAI:
        from models.openai.server import ModelServer

        return ModelServer(config.openai)
    return _llama(config, OutputFormat.REC_FUNC, JsonStyle(), clock)


def _history(config: PromptConfig, template: Template, past: Past | None) -> HistoryReader | None:
    if past is None or not config.history_tokens or not {"habits", "log"} & set(template.order):
        return None
    habits = past.habits if "habits" in template.order else tuple
    entries = past.entries if "log" in template.order else tuple
    return HistoryReader(habits, entries, config.history_tokens)


def other_pool(config: PromptConfig) -> OtherPool | None:
    """The configured pool of the fine-tune with its table; None where prompts have heed's.

    ``UsageError`` when one of them cannot be read, or no function of the pool has a counterpart.
    """
    if config.pool is None:
        return None
    ours = installed_pool()
    table = benchmark_map() if config.pool_map is None else load_pool_map(config.pool_map, ours)
    pool = load_pool(config.pool.expanduser())
    if not table.covers(pool, ours.functions):
        raise UsageError(
            msg("The pool map has no function of {pool}.", pool=config.pool),
            msg("Set models.prompt.pool_map; `heed functions --map {pool}` drafts one.", pool=config.pool),
        )
    return OtherPool(pool, table)


def _output(config: ModelsConfig) -> OutputFormat:
    """A server that is held to a JSON schema answers in JSON; every other model in the configured format."""
    by_schema = config.reasoner is ReasonerKind.OPENAI and config.openai.constraint == "schema"
    return OutputFormat.JSON if by_schema else config.prompt.format


def _engine(config: ModelsConfig, output: OutputFormat, template: Template, clock: Clock) -> Engine:
    match config.reasoner:
        case ReasonerKind.LLAMA:
            return _llama(config, output, template.style, clock)
        case ReasonerKind.OPENAI:
            # It brings an HTTP client, which takes a tenth of a second to import.
            from models.openai.engine import OpenAIEngine

            return OpenAIEngine(config.openai, output, config.prompt.limits, template.style, clock)
        case _:
            raise UsageError(
                msg("{reasoner} is not a language model.", reasoner=config.reasoner),
                msg("Set models.reasoner to llama or openai."),
            )


def _llama(config: ModelsConfig, output: OutputFormat, style: JsonStyle, clock: Clock) -> "LlamaEngine":
    if find_spec("llama_cpp") is None:
        raise ModelError(
            msg("llama.cpp is not installed."), msg("Install heed-android[llama]; it compiles for some minutes.")
        )
    from models.llama.engine import LlamaEngine
    from models.llama.files import locate
    from models.llama.process import ModelProcess, new_process

    def process() -> ModelProcess:
        files = locate(config.llama)
        return new_process(files.model, files.mmproj, config.llama, cache_dir() / "prefixes", clock, files.adapter)

    return LlamaEngine(process, config.llama, output, config.prompt.limits, style)
