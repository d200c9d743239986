"""``python -m heed`` and the ``heed`` command.

Commands register through the entry-point group ``heed.commands``: each entry is a function that takes the
Typer application and adds to it; one that adds much may yield after each part. The built-ins use the same
group as plug-ins do, so the floor needs to know none of the rooms.
"""

import contextlib
import os
import sys
from importlib.metadata import entry_points

import typer

from heed import __version__, logs
from heed.errors import Bug, ExitCode, PersonError, UsageError
from heed.help_texts import Commands, localise, use_language
from heed.language import chosen
from heed.messages import Text, msg, translate

APP_HELP = "Notices what you are about to need, says it in one sentence, asks, and then does it."


def _version(show: bool) -> None:
    if show:
        typer.echo(f"heed {__version__}")
        raise typer.Exit


def _root(
    log_level: str = typer.Option("WARNING", "--log-level", envvar="HEED_LOG_LEVEL", help="Logs go to stderr."),
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    logs.configure(log_level.upper())


def build_app(wanted: str = "") -> typer.Typer:
    """The command line with every registered command on it; with ``wanted``, with as many as bring that one.

    Importing every room takes a second, and a command needs its own only.
    """
    app = typer.Typer(name="heed", cls=Commands, help=APP_HELP, no_args_is_help=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    for entry in sorted(entry_points(group="heed.commands"), key=lambda entry: entry.name):
        for _ in entry.load()(app) or (None,):
            if wanted and wanted in _commands(app):
                return app
    return app


def _commands(app: typer.Typer) -> set[str]:
    """Without the groups: other rooms, and plug-ins, may add to a group, so for one of its commands all are asked."""
    return {str(command.name or getattr(command.callback, "__name__", "")) for command in app.registered_commands}


def _check_environment() -> None:
    """adbutils reads this when it is imported, and breaks on what is no number."""
    port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if port and not port.isdecimal():
        raise UsageError(
            msg("ANDROID_ADB_SERVER_PORT is {port!r}.", port=port), msg("Set it to a number, or unset it.")
        )


def _say(text: Text) -> None:
    print(f"heed: {translate(text, chosen())}", file=sys.stderr)  # noqa: T201


def main() -> None:
    """Run a command; translate every error once, here, into a sentence and an exit code."""
    try:
        _check_environment()
        # Words that options take come before a command too; then none is found, and all are loaded.
        app = build_app(next((word for word in sys.argv[1:] if not word.startswith("-")), ""))
        use_language(chosen())
        localise(typer.main.get_command(app), chosen())()
    except PersonError as error:
        _say(error.text)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _say(msg("interrupted; what was begun is recorded: see `heed journal`."))
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output went away (``heed journal | head``): that is not an error.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.OK)
    except Bug as error:
        _say(msg("this is a bug, please report it: {error}", error=error))
        sys.exit(ExitCode.FAILURE)


if __name__ == "__main__":
    main()
