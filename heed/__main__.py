"""``python -m heed`` and the ``heed`` command.

Commands register through the entry-point group ``heed.commands``: each entry is a function that takes the Typer
application and adds commands to it; one that adds several begins with the wanted one (``heed.application``) and yields
after each, so that loading can stop there. The built-in commands use the same group as plug-ins.
"""

import os
import sys
from importlib.metadata import entry_points

import typer

from heed import __version__, logs, printing
from heed.application import Application
from heed.errors import Bug, ExitCode, PersonError, UsageError
from heed.help_texts import Commands, localise, use_language
from heed.language import chosen
from heed.messages import msg
from heed.private_files import keep_private

APP_HELP = "Proactive assistant for an Android phone: suggests what you are about to need, asks, and then does it."


def _version(show: bool) -> None:
    if show:
        printing.console.print(f"heed {__version__}")
        raise typer.Exit


def _root(
    log_level: str = typer.Option(
        "WARNING", "--log-level", envvar="HEED_LOG_LEVEL", help="Level of the log on stderr."
    ),
    serial: str = typer.Option("", "--serial", "-s", help="Serial of the phone, for every command that takes one."),
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    logs.configure(log_level.upper())
    if serial:
        # Every command's own option reads this variable where it is not given.
        os.environ["ANDROID_SERIAL"] = serial


def build_app(wanted: str = "") -> typer.Typer:
    """Return the application with every registered command, or at least with the command ``wanted``.

    Importing every package takes a second, and most commands need few of them.
    """
    app = _empty_app()
    app.wanted = wanted
    for entry in sorted(entry_points(group="heed.commands"), key=lambda entry: entry.name):
        for _ in entry.load()(app) or (None,):
            if wanted and wanted in _commands(app):
                return app
    return app


_WITH_VALUE = ("--log-level", "--serial", "-s")
"""The options of ``heed`` itself that take a value."""


def _empty_app() -> Application:
    app = Application(name="heed", cls=Commands, help=APP_HELP, no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    return app


def _commands(app: typer.Typer) -> set[str]:
    """Return the commands without the groups: any package may add to a group, so a group needs all of them loaded."""
    return {str(command.name or getattr(command.callback, "__name__", "")) for command in app.registered_commands}


def _app_for(arguments: list[str]) -> typer.Typer:
    """Return the application with what these arguments need."""
    if arguments[:1] == ["--version"]:
        return _empty_app()
    return build_app(_command_in(arguments))


def _command_in(arguments: list[str]) -> str:
    """Return the first word that is no option of ``heed`` itself and no value of one; empty without one."""
    words = iter(arguments)
    for word in words:
        if word in _WITH_VALUE:
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def _check_environment() -> None:
    """Check the port that adbutils reads when it is imported; it fails on anything but a number."""
    port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if port and not port.isdecimal():
        raise UsageError(
            msg("ANDROID_ADB_SERVER_PORT is {port!r}.", port=port), msg("Set it to a number, or unset it.")
        )


def main() -> None:
    """Run a command; every error becomes a sentence and an exit code here."""
    printing.prepare_streams()
    keep_private()
    try:
        _check_environment()
        app = _app_for(sys.argv[1:])
        use_language(chosen())
        localise(typer.main.get_command(app), chosen())()
    except PersonError as error:
        printing.complain(error.text)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        printing.complain(msg("interrupted; what was begun is recorded: see `heed journal`."))
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        printing.discard_output()
        sys.exit(ExitCode.OK)
    except Bug as error:
        printing.complain(msg("this is a bug, please report it: {error}", error=error))
        sys.exit(ExitCode.FAILURE)


if __name__ == "__main__":
    main()
