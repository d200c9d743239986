"""``heed recipe``: check a recipe, and compare it with a phone."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import ConfigOption, SerialOption, load_config
from agent.config import Config
from android_bridge.adb import AdbServer
from android_bridge.device import Device, choose, phones
from executors.recipes.check import check_recipe
from executors.recipes.recipe import Recipe, read_file
from heed.errors import NoDeviceError
from heed.messages import msg
from heed.printing import say


def register(app: typer.Typer) -> None:
    """Add ``recipe check``."""
    group = typer.Typer(help="Check recipes: the steps that heed does in an app.", no_args_is_help=True)
    group.callback()(_recipe)
    group.command()(check)
    app.add_typer(group, name="recipe")


def _recipe() -> None:
    """Check recipes: the steps that heed does in an app."""


def check(
    file: Annotated[Path, typer.Argument(help="FUNCTION.yaml", dir_okay=False)],
    serial: SerialOption = "",
    config: ConfigOption = None,
) -> None:
    """Check a file of recipes, and compare it with the phone: app, version and the screen in front. Touches nothing."""
    recipes = read_file(file)
    settings = load_config(config, serial)
    say(msg("{name} is valid (recipes: {count}).", name=file.name, count=len(recipes)), settings.language)
    asyncio.run(_compare(settings, recipes))


async def _compare(settings: Config, recipes: tuple[Recipe, ...]) -> None:
    server = AdbServer(settings.bridge)
    await server.ensure_running()
    try:
        device = Device(server, choose(await phones(server), settings.bridge.serial))
    except NoDeviceError:
        if settings.bridge.serial:
            raise
        say(msg("No phone is chosen, so they were not compared with one."), settings.language)
        return
    for recipe in recipes:
        for line in await check_recipe(device, recipe):
            say(line, settings.language)
