"""``heed eval fingertip``."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.progress import Progress

from agent.config import load
from evaluation.embeddings import EncoderEmbedder, SentenceEmbedder, ServerEmbedder, TextVectors
from evaluation.fingertip.execution import Executed, execute, execution_episodes, succeeded
from evaluation.fingertip.judge import FingertipJudge
from evaluation.fingertip.metrics import FingertipReport, execution_figures, suggestion_figures, table
from evaluation.fingertip.records import Execution, FingertipData, Key, load_data, load_executions
from evaluation.fingertip.suggestion import Suggested, judged, suggest, suggesting, suggestion_episodes
from function_pool.spec import default_pool
from heed.errors import UsageError
from heed.language import language_of
from heed.printing import errors, print_json, print_lines
from models.config import ModelsConfig, OpenAIConfig, ReasonerKind
from models.openai.server import ModelServer


class Track(StrEnum):
    """The benchmark's tracks."""

    SUGGESTION = "suggestion"
    EXECUTION = "execution"
    BOTH = "both"


class _Run(NamedTuple):
    """What one run is made with."""

    data: FingertipData
    models: ModelsConfig
    vectors: TextVectors
    judge: FingertipJudge | None


def fingertip(
    path: Annotated[
        Path,
        typer.Argument(help="A folder with USER/TIME/survey_result.json, or a table of episodes (CSV).", exists=True),
    ],
    track: Annotated[Track, typer.Option(help="Which track.")] = Track.BOTH,
    reasoner: Annotated[ReasonerKind, typer.Option(help="Who suggests.")] = ReasonerKind.ROUTINES,
    executions: Annotated[
        Path | None,
        typer.Option(
            help="What an agent did on a phone, one JSON object per line; else heed plays what the user showed before.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    judge: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server that judges.")] = "",
    judge_model: Annotated[str, typer.Option(help="Name of the judge's model on that server.")] = "",
    embeddings: Annotated[
        str, typer.Option(help="Address of an OpenAI-compatible server for embeddings; else heed's own encoder.")
    ] = "",
    embeddings_model: Annotated[str, typer.Option(help="Name of the model on that server.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print figures and every episode as JSON.")] = False,
) -> None:
    """FingerTip-20K's tracks: suggestions of what the user is about to do, and execution as this user does it."""
    data = load_data(path)
    given = None if executions is None else load_executions(executions)
    configured = load().models if judge or embeddings or reasoner is not ReasonerKind.ROUTINES else ModelsConfig()
    models = configured.model_copy(update={"reasoner": reasoner})
    judging = _server(models, judge, judge_model)
    embedding = _server(models, embeddings, embeddings_model)
    embedder: SentenceEmbedder = ServerEmbedder(embedding) if embedding else EncoderEmbedder.load()
    made = asyncio.run(_evaluated(data, track, given, models, embedder, judging))
    report = FingertipReport(
        reasoner=reasoner, embedding=embedder.name, judge=f"{judge_model or 'the model'} at {judge}" if judge else ""
    ).model_copy(update=made)
    print_json(report) if as_json else print_lines(table(report))


def _server(models: ModelsConfig, address: str, model: str) -> OpenAIConfig | None:
    return models.openai.model_copy(update={"base_url": address, "model": model}) if address else None


async def _evaluated(
    data: FingertipData,
    track: Track,
    given: Mapping[Key, Execution] | None,
    models: ModelsConfig,
    embedder: SentenceEmbedder,
    judging: OpenAIConfig | None,
) -> dict[str, object]:
    """The fields of the report for the tracks that are evaluated."""
    found: dict[str, object] = {}
    async with AsyncExitStack() as stack:
        judge = None
        if judging is not None:
            server = ModelServer(judging)
            stack.push_async_callback(server.close)
            judge = FingertipJudge(server)
        run = _Run(data, models, TextVectors(embedder), judge)
        progress = stack.enter_context(Progress(console=errors, transient=True))
        if track is not Track.EXECUTION:
            suggested = await _suggested(run, progress)
            found |= {"suggestion": suggestion_figures(suggested), "suggested": tuple(suggested)}
        if track is not Track.SUGGESTION:
            executed = await _executed(run, given, progress)
            found |= {"execution": execution_figures(executed), "executed": tuple(executed)}
    return found


async def _suggested(run: _Run, progress: Progress) -> list[Suggested]:
    episodes = suggestion_episodes(run.data)
    if not episodes:
        raise UsageError("No episode has an earlier one of its user.", "Name the whole data, or --track execution.")
    made = []
    async with suggesting(run.models, language_of(episodes[0].intent)) as model:
        for episode in progress.track(episodes, description="suggestion"):
            one = await suggest(run.data, episode, model, default_pool(), run.vectors)
            made.append(one if run.judge is None else await judged(episode, one, run.judge))
    return made


async def _executed(run: _Run, given: Mapping[Key, Execution] | None, progress: Progress) -> Sequence[Executed]:
    episodes = execution_episodes(run.data)
    if not episodes:
        raise UsageError(
            "No episode to execute has actions.", "Name the folder that holds action.jsonl, or --track suggestion."
        )
    await run.vectors.add(episode.intent for episode in run.data.episodes if episode.actions)
    made = [execute(run.data, episode, given, run.vectors) for episode in episodes]
    if run.judge is None:
        return made
    pairs = list(zip(episodes, made, strict=True))
    return [await succeeded(*pair, run.judge) for pair in progress.track(pairs, description="execution")]
