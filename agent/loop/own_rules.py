"""The owner's own rules: one file of situations, read anew when it has changed, so that a rule counts at once."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from function_pool.spec import Pool
from heed import paths
from heed.errors import UsageError
from heed.language import Language
from heed.messages import msg
from models.own_rules.form import RuleForm, read_form
from models.own_rules.sentence import free_number, read_rule
from models.routines.rules.situations import Situation, load_situations

log = logging.getLogger(__name__)

_HEAD = "# The rules of `heed rules`, in the format of docs/add-a-situation.md. `heed rules --remove ID` deletes one.\n"


class OwnRules:
    """The rules in one file; without the file there are none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[float, tuple[Situation, ...]] = (0.0, ())

    def all(self) -> tuple[Situation, ...]:
        """Every rule, oldest first; ``UsageError`` when the file is not valid."""
        try:
            changed = self.path.stat().st_mtime
        except FileNotFoundError:
            return ()
        if self._read[0] != changed:
            self._read = (changed, load_situations(self.path))
        return self._read[1]

    def usable(self) -> tuple[Situation, ...]:
        """Every rule; while the file is not valid, those that were read last."""
        try:
            return self.all()
        except UsageError as error:
            log.warning("the rules are used as they were read last: %s", error)
            return self._read[1]

    def add(self, rule: Situation) -> None:
        """Store one more rule."""
        self._write([*self.all(), rule])

    def add_sentence(self, sentence: str, pool: Pool, places: Mapping[str, str]) -> Situation:
        """Read one more rule from a sentence and store it; raises as ``read_rule``."""
        rule = read_rule(sentence, self._free_number(), pool, places)
        self.add(rule)
        return rule

    def add_form(self, form: RuleForm, pool: Pool, places: Mapping[str, str], language: Language) -> Situation:
        """Read one more rule from a form and store it; raises as ``read_form``."""
        rule = read_form(form, self._free_number(), pool, places, language)
        self.add(rule)
        return rule

    def _free_number(self) -> int:
        return free_number(rule.id for rule in self.all())

    def remove(self, rule_id: str) -> None:
        """Delete one rule; ``UsageError`` when there is none of this id."""
        kept = [rule for rule in self.all() if rule.id != rule_id]
        if len(kept) == len(self.all()):
            raise UsageError(msg("There is no rule {id}.", id=rule_id), msg("`heed rules` lists them."))
        self._write(kept)

    def _write(self, rules: Sequence[Situation]) -> None:
        paths.create_folder(self.path.parent)
        written = [rule.model_dump(mode="json", by_alias=True, exclude_defaults=True) for rule in rules]
        text = yaml.safe_dump({"situations": written}, allow_unicode=True, sort_keys=False, width=120)
        new = self.path.with_suffix(".new")
        new.write_text(_HEAD + text, encoding="utf-8")
        new.replace(self.path)
        self._read = (0.0, ())
