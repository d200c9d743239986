"""``python -m training.sft BASE OUT``: fine-tune a model on chats; see ``--help`` and docs/fine-tuning.md."""

from pathlib import Path
from typing import Annotated

import typer

from models.config import PromptConfig
from models.grammar import OutputFormat
from training.chats.dataset import DataChoice, make_dataset
from training.chats.exchange import ExchangeFormat, write_exchange
from training.tuning import options


def main(
    base: options.Base,
    out: options.Out,
    records: options.Records = None,
    *,
    arguments: options.Labels = None,
    pool: options.PoolFile = None,
    template: options.Template = options.TEMPLATE,
    answer: Annotated[OutputFormat, typer.Option(help="Form of the answers.")] = OutputFormat.REC_FUNC,
    screens: Annotated[bool, typer.Option(help="Draw screenshots of the corpus as pictures.")] = True,
    silence: options.Silence = 0.5,
    held_out: options.HeldOut = 0.05,
    limit: options.Limit = 0,
    epochs: Annotated[float, typer.Option(help="How often each chat is seen.")] = 2.0,
    rate: options.Rate = 1e-4,
    rank: options.Rank = 16,
    batch: Annotated[int, typer.Option(help="Chats of one step.", min=1)] = 16,
    seed: options.Seed = 1,
    adapter: Annotated[Path | None, typer.Option(help="Deliver this trained adapter instead of training one.")] = None,
    precision: options.Precision = "f16",
    quantize: options.Quantize = None,
    importance: options.Importance = 64,
    evaluate: options.Evaluate = 50,
    context: options.Context = 16_384,
    image_tokens: options.ImageTokens = 1_024,
    llama_cpp: options.LlamaCpp = None,
    pre_tokenizer: options.PreTokenizer = "",
    to: Annotated[
        ExchangeFormat | None, typer.Option("--format", help="Write the chats for another trainer, and end.")
    ] = None,
) -> None:
    """Fine-tune a model on chats, and make the files that heed runs."""
    functions, prompt = options.pool_of(pool), PromptConfig(template=template, format=answer)
    choice = DataChoice(
        files=tuple(records or ()),
        labels=tuple(arguments or ()),
        screens=screens,
        silence=silence,
        held_out=held_out,
        limit=limit,
        seed=seed,
    )
    data = make_dataset(choice, functions, prompt, out / "records")
    options.show(data)
    if to is not None:
        for path in write_exchange(data.learn.chats, to, out / to):
            typer.echo(path)
        return
    # PyTorch takes seconds to import, and chats for other trainers are written without it.
    from training.sft.fitting import Fit, fit_adapter
    from training.tuning.converters import Converters, engine_tree
    from training.tuning.delivery import DeliveryChoice
    from training.tuning.measuring import Trial
    from training.tuning.pipeline import TuningChoice, tune

    delivery = DeliveryChoice(
        precision=precision,
        quantizations=tuple(quantize or options.QUANTIZATIONS),
        importance=importance,
        evaluate=evaluate,
    )
    chosen = TuningChoice(base=base, command=options.command_line("training.sft"), delivery=delivery, adapter=adapter)
    fit = Fit(epochs=epochs, rate=rate, rank=rank, batch=batch, seed=seed)
    page = tune(
        chosen,
        data,
        Trial(functions, prompt, context, image_tokens),
        Converters(llama_cpp or engine_tree(), pre_tokenizer),
        out,
        lambda loaded, folder: fit_adapter(loaded, data.learn.chats, data.held_out.chats, fit, folder).words,
    )
    typer.echo(page)


if __name__ == "__main__":
    options.run(main)
