"""The owner's profile: a YAML file in KnowU-Bench's sections; FingerTip's flat fields are accepted too.

Each leaf becomes a fact ``profile.<section>.<path>``. Documents (``identity.auth_documents``) are never read out.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import reduce
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import JsonValue, ValidationError

from collectors.place import KnownPlace
from heed.errors import UsageError
from heed.language import Language
from heed.library_messages import from_library
from heed.messages import Text, msg
from heed.model import Frozen

SECTIONS = ("identity", "locations", "digital_context", "preferences", "decision_criteria", "social_graph")
"""In the order in which they are rendered (KnowU-Bench's persona file)."""

FLAT = {
    "name": "identity.full_name",
    "sex": "identity.sex",
    "age": "identity.age",
    "occupation": "identity.occupation",
    "marital_status": "identity.marital_status",
    "address": "locations.home.address",
    "phone_brand": "digital_context.phone_brand",
}
"""Where FingerTip's fields belong."""

WITHHELD = ("identity.auth_documents",)
"""Paths whose values are shown as ``[id]``."""


class Leaf(NamedTuple):
    """One value of the profile; ``path`` is dotted, without ``profile.``; ``line`` is 1-based."""

    path: str
    value: JsonValue


class Profile(Frozen):
    """The owner's profile."""

    leaves: tuple[Leaf, ...] = ()
    places: tuple[KnownPlace, ...] = ()

    def get(self, path: str, default: JsonValue = None) -> JsonValue:
        """The value at a dotted path."""
        return next((leaf.value for leaf in self.leaves if leaf.path == path), default)


def profile_template(language: Language) -> str:
    """A commented profile to fill in; as it is, it is an empty profile."""
    return files("collectors").joinpath(f"profile.{language}.yaml").read_text("utf-8")


def load_profile(path: Path) -> Profile:
    """The profile in a file; ``UsageError`` names the file, the line and the fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            msg("Cannot read the profile {path}: {error}.", path=path, error=error), msg("Write one with `heed init`.")
        ) from error
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        return _Parser(path).parse(root) if root else Profile()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(
            msg("{path}, line {line}: {problem}.", path=path, line=line, problem=error.problem), msg("It must be YAML.")
        ) from error
    except yaml.YAMLError as error:
        raise UsageError(msg("{path} is not YAML: {error}.", path=path, error=error)) from error


class _Parser:
    """Turns YAML nodes, which know their lines, into a profile."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def parse(self, root: yaml.Node) -> Profile:
        top = self._fields(root, "The profile")
        if set(top) == {"user_profile"}:
            top = self._fields(top["user_profile"], "user_profile")
        sections: dict[str, Any] = {}
        for key, node in top.items():
            self._take(sections, key, node)
        ordered = {name: sections[name] for name in SECTIONS if name in sections}
        return Profile(leaves=tuple(_leaves(ordered)), places=self._places(top.get("locations"), ordered))

    def _take(self, sections: dict[str, Any], key: str, node: yaml.Node) -> None:
        if key in SECTIONS:
            self._fields(node, key)
            _merge(sections, {key: self._plain(node)})
        elif key in FLAT:
            *parents, name = FLAT[key].split(".")
            _merge(sections, reduce(lambda tree, parent: {parent: tree}, reversed(parents), {name: self._plain(node)}))
        else:
            near = get_close_matches(key, (*SECTIONS, *FLAT), n=1)
            hint = (
                msg("Did you mean {near}?", near=near[0]) if near else msg("There are {sections}.", sections=SECTIONS)
            )
            raise self._fault(node, msg("there is no section called {key!r}", key=key), hint)

    def _places(self, node: yaml.Node | None, sections: Mapping[str, Any]) -> tuple[KnownPlace, ...]:
        nodes = self._fields(node, "locations") if node else {}
        return tuple(
            self._place(key, fields, nodes.get(key, node)) for key, fields in sections.get("locations", {}).items()
        )

    def _place(self, key: str, fields: Any, node: yaml.Node | None) -> KnownPlace:
        if not isinstance(fields, dict):
            raise self._fault(node, f"the location {key!r} must have fields such as address, latitude, wifi")
        wanted = {name: fields[name] for name in KnownPlace.model_fields if fields.get(name) is not None}
        if isinstance(wanted.get("wifi"), str):
            wanted["wifi"] = [wanted["wifi"]]
        try:
            return KnownPlace.model_validate(wanted | {"key": key})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            inner = self._fields(node, key) if isinstance(node, yaml.MappingNode) else {}
            name = str(first["loc"][0])
            raise self._fault(
                inner.get(name, node),
                msg("{place}: {fault}", place=f"locations.{key}.{name}", fault=from_library(first["msg"])),
            ) from error

    def _fields(self, node: yaml.Node, what: str) -> dict[str, yaml.Node]:
        if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null":
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, f"{what} must be a list of `name: value` fields")
        fields: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value in fields:
                raise self._fault(key, f"{key.value!r} is there twice")
            fields[key.value] = value
        return fields

    def _plain(self, node: yaml.Node) -> Any:
        loader = yaml.SafeLoader("")
        try:
            return _json(loader.construct_document(node))
        finally:
            loader.dispose()

    def _fault(self, node: yaml.Node | None, fault: Text, hint: Text = "") -> UsageError:
        if node is None:
            return UsageError(msg("{path}: {fault}.", path=self._path, fault=fault), hint)
        line = node.start_mark.line + 1
        return UsageError(msg("{path}, line {line}: {fault}.", path=self._path, line=line, fault=fault), hint)


def _merge(tree: dict[str, Any], other: Mapping[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(tree.get(key), dict):
            _merge(tree[key], value)
        else:
            tree[key] = value


def _json(value: Any) -> JsonValue:
    """YAML's values as JSON's: dates as ISO text, keys as text."""
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_json(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[Leaf]:
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}.")
        elif value not in (None, "", []):
            withheld = any(path.startswith(f"{hidden}.") for hidden in WITHHELD)
            yield Leaf(path, "[id]" if withheld else value)
