"""``python -m training.rl BASE OUT``: go on from a fine-tune by reward; see ``--help`` and docs/fine-tuning.md."""

from typing import Annotated

import typer

from models.config import PromptConfig
from models.grammar import OutputFormat
from training.chats.dataset import DataChoice, make_dataset
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
    silence: options.Silence = 0.5,
    held_out: options.HeldOut = 0.05,
    limit: options.Limit = 0,
    steps: Annotated[int, typer.Option(help="Steps; one prompt each.", min=1)] = 200,
    answers: Annotated[int, typer.Option(help="Answers to one prompt.", min=2)] = 8,
    answer_tokens: Annotated[int, typer.Option(help="Most tokens of an answer.", min=16)] = 256,
    temperature: Annotated[float, typer.Option(help="Of the answers.")] = 1.0,
    kl: Annotated[float, typer.Option(help="How strongly the model is held to its start; 0 = not.", min=0)] = 0.02,
    rate: options.Rate = 1e-5,
    rank: options.Rank = 16,
    seed: options.Seed = 1,
    precision: options.Precision = "f16",
    quantize: options.Quantize = None,
    importance: options.Importance = 64,
    evaluate: options.Evaluate = 50,
    context: options.Context = 16_384,
    image_tokens: options.ImageTokens = 1_024,
    llama_cpp: options.LlamaCpp = None,
    pre_tokenizer: options.PreTokenizer = "",
) -> None:
    """Train a fine-tune further by reward (GRPO), on texts alone, and make the files that heed runs."""
    functions, prompt = options.pool_of(pool), PromptConfig(template=template, format=answer)
    choice = DataChoice(
        files=tuple(records or ()),
        labels=tuple(arguments or ()),
        screens=False,
        silence=silence,
        held_out=held_out,
        limit=limit,
        seed=seed,
    )
    data = make_dataset(choice, functions, prompt, out / "records")
    options.show(data)
    # PyTorch takes seconds to import; a mistake in the options is told before.
    from training.rl.fitting import GrpoFit, fit_by_reward
    from training.rl.reward import Reward
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
    fit = GrpoFit(
        steps=steps,
        rate=rate,
        rank=rank,
        answers=answers,
        answer_tokens=answer_tokens,
        temperature=temperature,
        kl=kl,
        seed=seed,
    )
    page = tune(
        TuningChoice(base=base, command=options.command_line("training.rl"), delivery=delivery),
        data,
        Trial(functions, prompt, context, image_tokens),
        Converters(llama_cpp or engine_tree(), pre_tokenizer),
        out,
        lambda loaded, folder: fit_by_reward(loaded, data.learn.chats, Reward(functions, answer), fit, folder),
    )
    typer.echo(page)


if __name__ == "__main__":
    options.run(main)
