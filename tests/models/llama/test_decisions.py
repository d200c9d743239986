"""Decisions on random weights: whatever the weights want to say, what comes out is valid."""

import random
from collections.abc import Callable

import jsonschema
