"""The taught tasks of one folder: one YAML file each, read anew each time, so that an edit counts at once."""

import logging
from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import ValidationError

from executors.taught.task import NAME, TaughtTask
from heed import paths
from heed.errors import UsageError
from heed.library_messages import from_library
from heed.messages import msg

log = logging.getLogger(__name__)

_ON_ONE_LINE = 1_000_000
"""No text is folded: `heed forget` searches line by line."""
_HEAD = "# A task of `heed teach`; docs/teach.md describes it. `heed teach NAME --forget` deletes it.\n"


class TaughtTasks:
    """The tasks in a folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    def all(self) -> Mapping[str, TaughtTask]:
        """Returns every task by its name; raises ``UsageError`` for a file that is none."""
        return {path.stem: _read(path) for path in sorted(self._folder.glob("*.yaml"))}

    def usable(self) -> Mapping[str, TaughtTask]:
        """Returns every task whose file is valid; the others are logged."""
        found = {}
        for path in sorted(self._folder.glob("*.yaml")):
            try:
                found[path.stem] = _read(path)
            except UsageError as error:
                log.warning("a taught task is left out: %s", error)
        return found

    def get(self, name: str) -> TaughtTask:
        """Returns one task; raises ``UsageError`` when there is none of this name, or its file is not valid."""
        path = self._path(name)
        if not path.is_file():
            raise UsageError(msg("No task is called {name!r}.", name=name), msg("`heed teach --list` lists them."))
        return _read(path)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and NAME.fullmatch(name) is not None and self._path(name).is_file()

    def save(self, task: TaughtTask) -> None:
        """Stores a task, in place of one of the same name."""
        paths.create_folder(self._folder)
        data = task.model_dump(mode="json", exclude_defaults=True)
        data["steps"] = [{"do": step.do, **step.model_dump(mode="json", exclude_defaults=True)} for step in task.steps]
        new = self._path(task.name).with_suffix(".new")
        new.write_text(_HEAD + yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=_ON_ONE_LINE), "utf-8")
        new.replace(self._path(task.name))

    def forget(self, name: str) -> None:
        """Deletes a task; raises ``UsageError`` when there is none of this name."""
        if name not in self:
            self.get(name)
        self._path(name).unlink(missing_ok=True)

    def require_name(self, name: str) -> None:
        """Raises ``UsageError`` for what cannot be the name of a task."""
        self._path(name)

    def _path(self, name: str) -> Path:
        if NAME.fullmatch(name) is None:
            raise UsageError(
                msg("{name!r} is no name of a task.", name=name),
                msg("Write it in small letters, digits and underscores, like water_plants."),
            )
        return self._folder / f"{name}.yaml"


def _read(path: Path) -> TaughtTask:
    try:
        return TaughtTask.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(
            msg("{path} cannot be read: {error}", path=path, error=" ".join(str(error).split()))
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place, fault = ".".join(map(str, first["loc"])), from_library(first["msg"])
        raise UsageError(
            msg("{path} is no taught task: {place}: {fault}.", path=path, place=place, fault=fault),
            msg("docs/teach.md describes the format."),
        ) from error
