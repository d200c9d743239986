"""KnowU-Bench's actions are in the vocabulary of screen steps."""

import ast
from pathlib import Path
from typing import get_args

from evaluation.knowu.actions import ACTIONS
from executors.steps.vocabulary import AnyStep

MODELS = "oracles/knowu/src/knowu_bench/runtime/utils/models.py"
ENVIRONMENT = {"unknown", "mcp", "error_env"}


def kinds() -> set[str]:
    union, _ = get_args(AnyStep)
    return {step.model_fields["do"].default for step in get_args(union)}


def test_every_action_is_a_step_of_the_vocabulary() -> None:
    assert {str(step["do"]) for step in ACTIONS.values()} <= kinds()
    others = {"drag": "swipe", "finished": "answer", "status": "answer"}
    assert len({tuple(step.items()) for name, step in ACTIONS.items() if name not in others}) == 13
    assert all(ACTIONS[name] == ACTIONS[same] for name, same in others.items())
    assert kinds() - {str(step["do"]) for step in ACTIONS.values()} == {"find", "read"}


def test_no_action_of_the_benchmark_is_left_out(shared: Path) -> None:
    tree = ast.parse((shared / MODELS).read_text("utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    tuples = {
        ast.unparse(node.targets[0]): node.value.elts
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)
    }
    named = tuples["_ACTION_TYPES"]
    actions = {constants[name.id] for name in named if isinstance(name, ast.Name)}
    assert actions - ENVIRONMENT == set(ACTIONS)
