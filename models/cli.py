"""``heed model``: check, measure, quantize and make model files."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel

from function_pool.spec import default_pool
from heed.clock import SystemClock
from heed.errors import ExitCode
from heed.language import chosen
from heed.messages import sentences, translate
from heed.printing import print_json, print_lines
from models.config import LlamaConfig, PromptConfig

Row = TypeVar("Row", bound=BaseModel)

_DEFAULT = LlamaConfig()
_File = Annotated[str, typer.Argument(help="GGUF file, or hf:org/repo/file.gguf.", show_default=False)]
_Mmproj = Annotated[str, typer.Option("--mmproj", help="The model's vision projector, likewise.", show_default=False)]
_Context = Annotated[int, typer.Option("--context", help="Tokens of context.")]
_KvType = Annotated[str, typer.Option("--kv-type", help="Precision of what is kept of a prompt: f16 or q8_0.")]
_Threads = Annotated[int, typer.Option("--threads", help="CPU threads; 0 = one per physical core.", min=0)]
_Template = Annotated[str, typer.Option("--template", help="Prompt template: heed-1 or benchmark-1.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]


def register(app: typer.Typer) -> None:
    """Add ``heed model`` to the command line."""
    group = typer.Typer(help="Check, measure, quantize and make model files.", no_args_is_help=True)
    commands: dict[str, Callable[..., None]]
    commands = {"check": _check, "bench": _bench, "quantize": _quantize, "tiny": _tiny}
    for name, command in commands.items():
        group.command(name)(command)
    app.add_typer(group, name="model")


def _check(
    file: _File,
    *,
    mmproj: _Mmproj = "",
    context: _Context = _DEFAULT.context_tokens,
    kv_type: _KvType = _DEFAULT.kv_type,
    threads: _Threads = _DEFAULT.threads,
    template: _Template = "heed-1",
    as_json: _Json = False,
) -> None:
    """Whether a model loads, sees, answers validly, reuses its prompt and fits this machine."""
    from models.llama.check import Finding, check

    def line(finding: Finding) -> str:
        mark = "ok" if finding.ok else "FAULT"
        told = translate(sentences(finding.detail, finding.fix), chosen())
        return f"{mark:5}  {finding.name:13}  {told}"

    config = _config(file, mmproj, context_tokens=context, kv_type=kv_type, threads=threads)
    findings = check(config, PromptConfig(template=template), default_pool(), SystemClock())
    if not all(finding.ok for finding in asyncio.run(_show(findings, line, as_json))):
        raise typer.Exit(ExitCode.FAILURE)


def _bench(
    file: _File,
    *,
    mmproj: _Mmproj = "",
    context: _Context = _DEFAULT.context_tokens,
    kv_type: _KvType = _DEFAULT.kv_type,
    threads: _Threads = _DEFAULT.threads,
    template: _Template = "heed-1",
    repeats: Annotated[int, typer.Option("--repeats", help="Warm decisions.", min=1)] = 3,
    as_json: _Json = False,
) -> None:
    """Tokens and milliseconds of a cold, a warm, a seeing and a restarted decision."""
    from models.llama.bench import Measurement, bench

    def line(made: Measurement) -> str:
        stages = ", ".join(f"{stage} {spent:,.0f}" for stage, spent in made.milliseconds.items() if spent >= 1)
        tokens = f"{made.evaluated:6,} evaluated {made.reused:6,} reused {made.answered:5,} answered"
        return f"{made.case:14} {tokens}  {made.total:8,.0f} ms ({stages})  {made.peak_mebibytes:,} MiB"

    config = _config(file, mmproj, context_tokens=context, kv_type=kv_type, threads=threads)
    made = bench(config, PromptConfig(template=template), default_pool(), SystemClock(), repeats=repeats)
    asyncio.run(_show(made, line, as_json))


def _quantize(
    source: Annotated[Path, typer.Argument(help="GGUF file to make smaller.")],
    target: Annotated[Path, typer.Argument(help="File to write.")],
    kind: Annotated[str, typer.Argument(help="Precision, e.g. Q4_K_M or Q8_0.")] = "Q4_K_M",
) -> None:
    """Write a model at a lower precision."""
    from models.llama.quantize import quantize

    print_lines(str(quantize(source, target, kind)))


def _tiny(
    folder: Annotated[Path, typer.Argument(help="Where to write tiny.gguf and tiny-mmproj.gguf.")],
    vocabulary: Annotated[int, typer.Option("--vocabulary", help="Rows of the token table; 0 = few.", min=0)] = 0,
) -> None:
    """Write a random-weight model of the real architecture: it says nothing sensible, validly."""
    from models.llama.tiny import TextShape, build

    files = build(folder, TextShape(vocabulary=vocabulary))
    print_lines(f"{files.model}\n{files.mmproj}")


def _config(file: str, mmproj: str, **options: object) -> LlamaConfig:
    return LlamaConfig.model_validate({"model": file, "mmproj": mmproj, "idle_unload": 0, **options})


async def _show(rows: AsyncIterator[Row], line: Callable[[Row], str], as_json: bool) -> list[Row]:
    """Print each row as soon as it is there."""
    shown = []
    async for row in rows:
        print_json(row, indent=None) if as_json else print_lines(line(row))
        shown.append(row)
    return shown
