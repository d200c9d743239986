"""``heed model check``: whether a model can be used with this configuration."""

import asyncio
from typing import Annotated, Any

import typer

from agent.cli.options import ConfigOption, JsonOption, MmprojOption, load_config
from function_pool.plugins import installed_pool
from heed.clock import SystemClock
from heed.errors import ExitCode
from heed.messages import sentences, translate
from models.cli import model_group, show_rows


def register(app: typer.Typer) -> None:
    """Add ``check`` to ``heed model``."""
    model_group(app).command()(check)


def check(
    file: Annotated[
        str, typer.Argument(help="GGUF file, or hf:org/repo/file.gguf; the configured one if left out.")
    ] = "",
    *,
    mmproj: MmprojOption = "",
    context: Annotated[int | None, typer.Option("--context", help="Tokens of context.")] = None,
    kv_type: Annotated[str, typer.Option("--kv-type", help="Precision of what is kept of a prompt: f16 or q8_0.")] = "",
    threads: Annotated[
        int | None, typer.Option("--threads", help="CPU threads; 0 = one per physical core.", min=0)
    ] = None,
    template: Annotated[str, typer.Option("--template", help="Prompt template: heed-2, benchmark-1 or a file.")] = "",
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Whether a model loads, sees, answers validly, reuses its prompt, fits this machine and decides in time."""
    from models.llama.check import Finding, Setting
    from models.llama.check import check as findings

    given = {"model": file, "mmproj": mmproj, "context_tokens": context, "kv_type": kv_type, "threads": threads}
    llama: dict[str, Any] = {name: value for name, value in given.items() if value not in (None, "")}
    if file:
        llama["mmproj"] = mmproj  # the configured one belongs to another model
    settings = load_config(config, models={"llama": llama, "prompt": {"template": template} if template else {}})

    def line(finding: Finding) -> str:
        mark = "ok" if finding.ok else "FAULT"
        told = translate(sentences(finding.detail, finding.fix), settings.language)
        return f"{mark:5}  {finding.name:13}  {told}"

    setting = Setting(
        llama=settings.models.llama, prompt=settings.models.prompt, decision_timeout=settings.policy.decision_timeout
    )
    rows = findings(setting, installed_pool(), SystemClock())
    if not all(finding.ok for finding in asyncio.run(show_rows(rows, line, as_json))):
        raise typer.Exit(ExitCode.FAILURE)
