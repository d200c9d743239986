"""Deletes stored data in every file that heed writes, and reports what is left in each."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from agent.config import Config, stored_files
from agent.journal import Agenda, Database, Journal
from agent.journal.after_records import AfterRecords
from agent.journal.deletion import JournalDeletion
from agent.loop import control_socket as control
from agent.loop.phone_lock import hold_existing_locks
from agent.maintenance.json_lines import count_lines, delete_lines, line_time
from agent.maintenance.search_terms import SearchTerms, app_terms, person_terms
from heed import paths
from heed.errors import PersonError
from heed.messages import Text, msg
from heed.model import Frozen
from heed.stored_files import FileKind, StoredFile


class DeletionScope(Frozen):
    """The data to delete: by time, by app, by person or all."""

    before: datetime | None = None
    app: str = ""
    """A package or a visible name."""
    person: str = ""
    """A name or a phone number."""
    everything: bool = False

    @property
    def choices(self) -> int:
        """How many of the four are given; exactly one must be."""
        return sum((self.before is not None, bool(self.app), bool(self.person), self.everything))


class DeletionCount(Frozen):
    """Items deleted from one file or folder, and items of the scope that are left there."""

    path: str
    deleted: int
    left: int


class KeptData(Frozen):
    """Something that may hold data of the scope and is not deleted, with the reason."""

    path: str
    reason: Text


class DeletionReport(Frozen):
    """The counts of every file and folder, taken after deleting, and what forget does not delete."""

    places: tuple[DeletionCount, ...]
    kept: tuple[KeptData, ...] = ()

    def lines(self) -> Iterator[Text]:
        """The report for the owner, one sentence a line."""
        for place in self.places:
            yield msg("{path}: {deleted} deleted, {left} left", path=place.path, deleted=place.deleted, left=place.left)
        for kept in self.kept:
            yield msg("Not deleted: {path}. {reason}", path=kept.path, reason=kept.reason)

    @property
    def complete(self) -> bool:
        """Whether nothing of the scope is left."""
        return not any(place.left for place in self.places)


def require_no_daemon() -> None:
    """Raise ``PersonError`` while a daemon is running, which writes the same files."""
    if control.is_running():
        raise PersonError(
            msg("The daemon is writing the journal."),
            msg("Stop `heed run` first, or delete by app or person in the console."),
        )


def delete_data(config: Config, scope: DeletionScope) -> DeletionReport:
    """Delete the data in ``scope`` from every file that heed writes.

    Raises ``PersonError`` while a daemon or a command works with a phone.
    """
    require_no_daemon()
    with ExitStack() as locks:
        hold_existing_locks(locks)
        files = stored_files(config)
        if scope.everything:
            return _delete_all(files)
        deletion = _Deletion(files, scope)
        return DeletionReport(places=tuple(deletion.places()), kept=(*deletion.kept(), *_ELSEWHERE))


class _Deletion:
    """The deletion of one scope that is not everything."""

    def __init__(self, files: tuple[StoredFile, ...], scope: DeletionScope) -> None:
        self._files, self._before = files, scope.before
        self._terms = _terms(files, scope)

    def places(self) -> Iterator[DeletionCount]:
        """Delete, file by file; the count of each."""
        for file in self._files:
            match file.kind:
                case FileKind.JOURNAL:
                    yield self._journal(file.path)
                case FileKind.LINES:
                    yield self._lines(file)
                case FileKind.PICTURES if self._before is not None:
                    yield _delete(file.path, [path for path in file.files() if self._is_old(path)])
                case FileKind.DOCUMENTS:
                    yield _delete(file.path, [path for path in file.files() if self._is_unwanted_document(path)])
                case FileKind.PICTURES | FileKind.CACHE:
                    # Whose picture or prompt it was is not recorded, so all are deleted.
                    yield _delete(file.path, list(file.files()))

    def kept(self) -> Iterator[KeptData]:
        """What may hold data of the scope in files that were searched."""
        for file in self._files:
            if file.kind is FileKind.OWNER and (count := count_lines(file.path, self._terms.found_in)):
                yield KeptData(
                    path=str(file.path),
                    reason=msg("You wrote it: {count} lines name it. Edit it yourself.", count=count),
                )
            if file.kind is FileKind.LINES and self._before is not None:
                undated = count_lines(file.path, lambda line: line_time(line, self._zone) is None)
                if undated:
                    yield KeptData(
                        path=str(file.path), reason=msg("{count} lines without a date were kept.", count=undated)
                    )

    def _journal(self, path: Path) -> DeletionCount:
        if not path.exists():
            return DeletionCount(path=str(path), deleted=0, left=0)
        with closing(Database(path)) as database:
            # What the journal could not take yet is searched with the rest.
            AfterRecords(database, Journal(database), Agenda(database)).flush()
            deletion, before = JournalDeletion(database), self._before
            if before is not None:
                deleted = deletion.delete_before(before)
            else:
                deleted = deletion.delete_matching(self._terms.found_in)
            deletion.delete_remains()
            left = deletion.count_before(before) if before else deletion.count_matching(self._terms.found_in)
        return DeletionCount(path=str(path), deleted=deleted, left=left)

    def _lines(self, file: StoredFile) -> DeletionCount:
        remains = _delete(file.path, list(file.leftovers()))
        deleted = delete_lines(file.path, self._unwanted)
        left = count_lines(file.path, self._unwanted) + remains.left
        return DeletionCount(path=str(file.path), deleted=deleted + remains.deleted, left=left)

    def _unwanted(self, line: str) -> bool:
        if self._before is None:
            return self._terms.found_in(line)
        moment = line_time(line, self._zone)
        return moment is not None and moment < self._before

    def _is_unwanted_document(self, path: Path) -> bool:
        if self._before is not None:
            return self._is_old(path)
        return count_lines(path, self._terms.found_in) > 0

    def _is_old(self, path: Path) -> bool:
        return self._before is not None and path.stat().st_mtime < self._before.timestamp()

    @property
    def _zone(self) -> datetime:
        return self._before or datetime.now().astimezone()


def _terms(files: tuple[StoredFile, ...], scope: DeletionScope) -> SearchTerms:
    if scope.app:
        return app_terms(scope.app, _documents(files))
    return person_terms(scope.person, _documents(files)) if scope.person else SearchTerms()


def _documents(files: tuple[StoredFile, ...]) -> Iterator[Any]:
    """The documents that tell which name and number, or which package and name, belong together."""
    for file in files:
        if file.kind is FileKind.JOURNAL and file.path.exists():
            with closing(Database(file.path)) as database:
                yield from JournalDeletion(database).documents()
        elif file.kind is FileKind.OWNER and file.path.suffix == ".yaml" and file.path.exists():
            try:
                yield yaml.safe_load(file.path.read_text("utf-8"))
            except (yaml.YAMLError, UnicodeDecodeError):
                continue


def _delete_all(files: tuple[StoredFile, ...]) -> DeletionReport:
    owners = [file for file in files if file.kind is FileKind.OWNER]
    places = [
        _delete(file.path, list(file.files())) for file in files if file.kind not in (FileKind.OWNER, FileKind.PROCESS)
    ]
    page = [path for file in files if file.kind is FileKind.PROCESS for path in file.files() if path.suffix == ".html"]
    unknown = [DeletionCount(path=str(path), deleted=0, left=1) for path in _unknown(files)]
    kept = [KeptData(path=str(file.path), reason=_OWNERS) for file in owners if file.path.exists()]
    places.append(_delete(paths.runtime_dir(), page))
    return DeletionReport(places=(*places, *unknown), kept=(*kept, *_ELSEWHERE))


def _unknown(files: tuple[StoredFile, ...]) -> Iterator[Path]:
    """Files in heed's own folders that no package declares."""
    for folder in (paths.data_dir(), paths.cache_dir(), paths.runtime_dir()):
        for path in sorted(folder.rglob("*")):
            if not path.is_dir() and not any(file.covers(path) for file in files):
                yield path


def _delete(place: Path, files: list[Path]) -> DeletionCount:
    for path in files:
        path.unlink(missing_ok=True)
    left = sum(path.exists() for path in files)
    return DeletionCount(path=str(place), deleted=len(files) - left, left=left)


_OWNERS = msg("You wrote it. Delete it yourself.")
_ELSEWHERE = (
    KeptData(path="heed export", reason=msg("Files that you exported and backups that you made are yours to delete.")),
    KeptData(path="phone", reason=msg("What was done on a phone stays there: alarms, events, contacts, messages.")),
    KeptData(
        path="journalctl", reason=msg("What `heed run` wrote to a terminal or to the system's log is not heed's.")
    ),
)
