"""Deleting what heed knows, and proving that it is gone."""

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


class What(Frozen):
    """What to forget: one of the three."""

    before: datetime | None = None
    app: str = ""
    everything: bool = False

    @property
    def nothing(self) -> bool:
        return not (self.before or self.app or self.everything)


class Gone(Frozen):
    """How much was deleted from one place, and how much of what was meant is left there."""

    place: str
    removed: int
    left: int


class Proof(Frozen):
    """What was looked at after deleting."""

    gone: tuple[Gone, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing of what was meant is left."""
        return all(gone.left == 0 for gone in self.gone)


def require_no_daemon() -> None:
    """``PersonError`` while a daemon writes what is to be forgotten."""
    if control.is_running():
        raise PersonError(msg("The daemon is writing the journal."), msg("Stop `heed run` first."))


def forget(config: Config, what: What) -> Proof:
    """Delete it from journal, behaviour log, frames and saved prompts; ``PersonError`` while a daemon writes them."""
    require_no_daemon()
    if what.everything:
        return _everything(config)
    proof = [_journal(config, what), _log(config, what)]
    if what.before is not None:
        proof.append(_frames(config.collectors.frames_folder, what.before))
    elif what.app:
        # A stored picture does not know which app it shows, so none is kept.
        proof.append(_folder(config.collectors.frames_folder))
    proof.append(_folder(paths.cache_dir()))
    return Proof(gone=tuple(proof))


def _everything(config: Config) -> Proof:
    journal = config.journal.path
    files = [journal, journal.with_name(f"{journal.name}-wal"), journal.with_name(f"{journal.name}-shm")]
    files.append(config.collectors.behaviour_log)
    folders = [config.collectors.frames_folder, paths.cache_dir()]
    return Proof(gone=(*(_file(path) for path in files), *(_folder(path) for path in folders)))


def _journal(config: Config, what: What) -> Gone:
    """Contexts and all that followed from them; the file is rewritten, so that no deleted page keeps the text."""
    database = Database(config.journal.path)
    try:
        condition, value = ("at < ?", utc(what.before)) if what.before else ("instr(body, ?) > 0", what.app)
        removed = database.execute(f"DELETE FROM context WHERE {condition}", (value,)).rowcount  # noqa: S608
        left = database.execute(f"SELECT COUNT(*) FROM context WHERE {condition}", (value,)).fetchone()[0]  # noqa: S608
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.close()
    return Gone(place=str(config.journal.path), removed=removed, left=left)


def _log(config: Config, what: What) -> Gone:
    path = config.collectors.behaviour_log
    if not path.exists():
        return Gone(place=str(path), removed=0, left=0)

    def meant(entry: LogEntry) -> bool:
        return entry.time < what.before if what.before is not None else what.app in entry.action

    removed = _rewrite(path, lambda line: not any(meant(entry) for entry in _entries(line)))
    left = sum(meant(entry) for entry in BehaviourLog(path).entries())
    return Gone(place=str(path), removed=removed, left=left)


def _entries(line: str) -> Iterable[LogEntry]:
    try:
        return (LogEntry.model_validate(json.loads(line)),)
    except ValueError:
        return ()


def _rewrite(path: Path, keep: Callable[[str], bool]) -> int:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if keep(line)]
    scratch = path.with_name(f"{path.name}.new")
    scratch.write_text("".join(kept), encoding="utf-8")
    scratch.replace(path)
    return len(lines) - len(kept)


def _frames(folder: Path, before: datetime) -> Gone:
    old = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime < before.timestamp()]
    for path in old:
        path.unlink()
    return Gone(place=str(folder), removed=len(old), left=sum(path.exists() for path in old))


def _file(path: Path) -> Gone:
    existed = path.exists()
    path.unlink(missing_ok=True)
    return Gone(place=str(path), removed=int(existed), left=int(path.exists()))


def _folder(folder: Path) -> Gone:
    count = sum(path.is_file() for path in folder.rglob("*"))
    if folder.exists():
        shutil.rmtree(folder)
    return Gone(place=str(folder), removed=count, left=int(folder.exists()))
