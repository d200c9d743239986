"""The parameters that the small model writes."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from function_pool.spec import FunctionSpec
from heed.language import Language


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    text = files("training.small").joinpath("data", "parameters.yaml").read_text("utf-8")
    found: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load(text)
    return found


def written_part(spec: FunctionSpec, language: Language) -> FunctionSpec | None:
    """``spec`` with the parameters alone that the small model writes in ``language``; None where there are none."""
    names = _table().get(language, {}).get(spec.name, ())
    kept = {name: parameter for name, parameter in spec.parameters.items() if name in names}
    return spec.model_copy(update={"parameters": kept}) if kept else None
