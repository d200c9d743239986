"""Make a recording of a phone a fixture of the tests: ``python -m tools.fixture BUNDLE NAME --by WHO``."""

import argparse
import re
import shutil
import sys
from pathlib import Path

from agent.recording.bundle import Manifest, read_manifest, unread
from agent.recording.recorded import recorded_readers
from heed.errors import PersonError, UsageError
from heed.messages import msg

PHONES = Path(__file__).parent.parent / "tests" / "fixtures" / "phones"
LICENCE = "Apache-2.0"
_HEAD = """# Sources of the recordings

Each folder holds what one phone printed, recorded with `heed doctor --record`: names, numbers, addresses and texts are
invented. Who recorded it gave it under the licence named.

| folder | phone | recorded by | licence |
|---|---|---|---|
"""


def make_fixture(bundle: Path, name: str, by: str, licence: str = LICENCE, *, phones: Path = PHONES) -> Path:
    """Copies a bundle to ``phones`` and adds its line to ``ATTRIBUTION.md`` there.

    Args:
        bundle: the folder that ``heed doctor --record`` wrote.
        name: the fixture's, such as ``pixel8-a14``.
        by: who recorded it.
        licence: under which it was given.
        phones: the folder of the fixtures.

    Raises ``UsageError`` when the bundle is none, the name is taken or not plain, or the readers do not read the
    outputs as the bundle says.
    """
    manifest, target = read_manifest(bundle), phones / name
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}", name) or target.exists():
        raise UsageError(msg("{name!r} is taken, or no plain name.", name=name), msg("Such as pixel8-a14."))
    if refusing := unread(bundle, recorded_readers()):
        raise UsageError(msg("Its outputs are not read by {readers}.", readers=refusing))
    shutil.copytree(bundle, target)
    _attribute(phones / "ATTRIBUTION.md", name, manifest, by, licence)
    return target


def _attribute(page: Path, name: str, manifest: Manifest, by: str, licence: str) -> None:
    text = page.read_text(encoding="utf-8") if page.exists() else _HEAD
    cells = (cell.replace("|", "/") for cell in (f"`{name}`", manifest.phone, by, licence))
    page.write_text(f"{text}| {' | '.join(cells)} |\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("name")
    parser.add_argument("--by", required=True, help="who recorded it and gives it")
    parser.add_argument("--licence", default=LICENCE)
    given = parser.parse_args()
    try:
        target = make_fixture(given.bundle, given.name, given.by, given.licence)
    except PersonError as error:
        sys.exit(str(error))
    sys.stdout.write(f"{target}\n")


if __name__ == "__main__":
    main()
