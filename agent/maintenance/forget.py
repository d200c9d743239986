"""Deletes stored data, and reports what is left in each place."""

import json
import shutil
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from agent.config import Config
from agent.journal import Database
from agent.journal.database import utc
from agent.loop import control_socket as control
from collectors.behaviour_log import BehaviourLog
from collectors.context import LogEntry
from heed import paths
from heed.errors import PersonError
from heed.messages import msg
from heed.model import Frozen


class DeletionScope(Frozen):
    """The data to delete: by time, by app or all."""

    before: datetime | None = None
    app: str = ""
    everything: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.before or self.app or self.everything)


class DeletionCount(Frozen):
    """Items deleted from one file or folder, and items of the scope that are left there."""

    path: str
    deleted: int
    left: int


class DeletionReport(Frozen):
    """The counts of every file and folder, taken after deleting."""

    places: tuple[DeletionCount, ...]


def require_no_daemon() -> None:
    """Raise ``PersonError`` while a daemon is running, which writes the same files."""
    if control.is_running():
        raise PersonError(msg("The daemon is writing the journal."), msg("Stop `heed run` first."))


def delete_data(config: Config, scope: DeletionScope) -> DeletionReport:
    """Delete the data in ``scope`` from journal, behaviour log, frames and cache.

    Raises ``PersonError`` while a daemon is running.
    """
    require_no_daemon()
    if scope.everything:
        return _delete_all(config)
    counts = [_journal(config, scope), _log(config, scope)]
    if scope.before is not None:
        counts.append(_frames(config.collectors.frames_folder, scope.before))
    elif scope.app:
        # The app of a stored frame is not recorded, so all frames are deleted.
        counts.append(_folder(config.collectors.frames_folder))
    counts.append(_folder(paths.cache_dir()))
    return DeletionReport(places=tuple(counts))


def _delete_all(config: Config) -> DeletionReport:
    journal = config.journal.path
    files = [journal, journal.with_name(f"{journal.name}-wal"), journal.with_name(f"{journal.name}-shm")]
    files.append(config.collectors.behaviour_log)
    folders = [config.collectors.frames_folder, paths.cache_dir()]
    return DeletionReport(places=(*(_file(path) for path in files), *(_folder(path) for path in folders)))


def _journal(config: Config, scope: DeletionScope) -> DeletionCount:
    """Delete contexts with their decisions; the file is rewritten, so that no free page keeps the text."""
    database = Database(config.journal.path)
    try:
        condition, value = ("at < ?", utc(scope.before)) if scope.before else ("instr(body, ?) > 0", scope.app)
        deleted = database.execute(f"DELETE FROM context WHERE {condition}", (value,)).rowcount  # noqa: S608
        left = database.execute(f"SELECT COUNT(*) FROM context WHERE {condition}", (value,)).fetchone()[0]  # noqa: S608
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.close()
    return DeletionCount(path=str(config.journal.path), deleted=deleted, left=left)


def _log(config: Config, scope: DeletionScope) -> DeletionCount:
    path = config.collectors.behaviour_log
    if not path.exists():
        return DeletionCount(path=str(path), deleted=0, left=0)

    def in_scope(entry: LogEntry) -> bool:
        return entry.time < scope.before if scope.before is not None else scope.app in entry.action

    deleted = _rewrite(path, lambda line: not any(in_scope(entry) for entry in _entries(line)))
    left = sum(in_scope(entry) for entry in BehaviourLog(path).entries())
    return DeletionCount(path=str(path), deleted=deleted, left=left)


def _entries(line: str) -> Iterable[LogEntry]:
    try:
        return (LogEntry.model_validate(json.loads(line)),)
    except ValueError:
        return ()


def _rewrite(path: Path, keep: Callable[[str], bool]) -> int:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if keep(line)]
    temporary = path.with_name(f"{path.name}.new")
    temporary.write_text("".join(kept), encoding="utf-8")
    temporary.replace(path)
    return len(lines) - len(kept)


def _frames(folder: Path, before: datetime) -> DeletionCount:
    old = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime < before.timestamp()]
    for path in old:
        path.unlink()
    return DeletionCount(path=str(folder), deleted=len(old), left=sum(path.exists() for path in old))


def _file(path: Path) -> DeletionCount:
    existed = path.exists()
    path.unlink(missing_ok=True)
    return DeletionCount(path=str(path), deleted=int(existed), left=int(path.exists()))


def _folder(folder: Path) -> DeletionCount:
    count = sum(path.is_file() for path in folder.rglob("*"))
    if folder.exists():
        shutil.rmtree(folder)
    return DeletionCount(path=str(folder), deleted=count, left=int(folder.exists()))
