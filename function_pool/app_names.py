"""The names of apps and services in Chinese, from ``app_names.yaml``; their English names are those of the pool."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml


@cache
def chinese_app_names() -> Mapping[str, str]:
    """Returns the Chinese names by the English ones."""
    names: Mapping[str, str] = yaml.safe_load(files("function_pool").joinpath("app_names.yaml").read_text("utf-8"))
    return names
