"""``heed model``: measure, quantize and make model files; ``check`` needs the configuration and is the agent's."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel

from function_pool.spec import default_pool
from heed.clock import SystemClock
from heed.printing import print_json, print_lines
from models.config import LlamaConfig, PromptConfig

Row = TypeVar("Row", bound=BaseModel)

_GROUP = "model"
_DEFAULT = LlamaConfig()
_TEMPLATE = PromptConfig().template
_File = Annotated[str, typer.Argument(help="GGUF file, or hf:org/repo/file.gguf.", show_default=False)]
_Mmproj = Annotated[str, typer.Option("--mmproj", help="The model's vision projector, likewise.", show_default=False)]
_Context = Annotated[int, typer.Option("--context", help="Tokens of context.")]
_KvType = Annotated[str, typer.Option("--kv-type", help="Precision of what is kept of a prompt: f16 or q8_0.")]
_Threads = Annotated[int, typer.Option("--threads", help="CPU threads; 0 = one per physical core.", min=0)]
_Template = Annotated[str, typer.Option("--template", help="Prompt template: heed-2, benchmark-1 or a file.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]


def model_group(app: typer.Typer) -> typer.Typer:
    """Returns the group ``heed model`` of ``app``, and adds it at the first call."""
    known = next((group.typer_instance for group in app.registered_groups if group.name == _GROUP), None)
    if known is not None:
        return known
    group = typer.Typer(help="Check, measure, quantize and make model files.", no_args_is_help=True)
    app.add_typer(group, name=_GROUP)
    return group


def register(app: typer.Typer) -> None:
    """Add the commands of ``heed model`` that need no configuration."""
    group = model_group(app)
    commands: dict[str, Callable[..., None]] = {"bench": _bench, "quantize": _quantize, "tiny": _tiny}
    for name, command in commands.items():
        group.command(name)(command)


def _bench(
    file: _File,
    *,
    mmproj: _Mmproj = "",
    context: _Context = _DEFAULT.context_tokens,
    kv_type: _KvType = _DEFAULT.kv_type,
    threads: _Threads = _DEFAULT.threads,
    template: _Template = _TEMPLATE,
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
    asyncio.run(show_rows(made, line, as_json))


def _quantize(
    source: Annotated[Path, typer.Argument(help="GGUF file to make smaller.")],
    target: Annotated[Path, typer.Argument(help="File to write.")],
    kind: Annotated[str, typer.Argument(help="Precision, e.g. Q4_K_M or Q8_0.")] = "Q4_K_M",
    *,
    imatrix: Annotated[
        Path | None,
        typer.Option("--imatrix", help="Importance matrix, a GGUF file of llama-imatrix.", show_default=False),
    ] = None,
) -> None:
    """Write a model at a lower precision."""
    from models.llama.quantize import quantize

    print_lines(str(quantize(source, target, kind, imatrix)))


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


async def show_rows(rows: AsyncIterator[Row], line: Callable[[Row], str], as_json: bool) -> list[Row]:
    """Print each row as soon as it is there."""
    shown = []
    async for row in rows:
        print_json(row, indent=None) if as_json else print_lines(line(row))
        shown.append(row)
    return shown
