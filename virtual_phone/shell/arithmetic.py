"""``$(( … ))``: integer arithmetic, C-like."""

import ast
import operator
from collections.abc import Callable

from virtual_phone.shell.syntax import ShellSyntaxError

_MAX_BITS = 64


def _divide(left: int, right: int) -> int:
    return int(left / right) if abs(left) < 2**53 else left // right


_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
    ast.Mod: lambda left, right: left - right * _divide(left, right),
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: lambda left, right: left << min(right, _MAX_BITS),
    ast.RShift: lambda left, right: left >> min(right, _MAX_BITS),
}
_COMPARE: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def evaluate(expression: str, variable: Callable[[str], str | None]) -> int:
    """The value as a signed 64-bit integer; ``ShellSyntaxError`` for anything else than integer arithmetic."""
    source = expression.strip().replace("&&", " and ").replace("||", " or ")
    try:
        tree = ast.parse(source or "0", mode="eval")
        value = _value(tree.body, variable)
    except (SyntaxError, ZeroDivisionError, ValueError, KeyError) as error:
        raise ShellSyntaxError(f"{expression}: unexpected token") from error
    return (value + 2**63) % 2**64 - 2**63


def _value(node: ast.expr, variable: Callable[[str], str | None]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return int(node.value)
    if isinstance(node, ast.Name):
        return int(variable(node.id) or 0)
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, variable), _value(node.right, variable))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, variable)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _value(node.left, variable), _value(node.comparators[0], variable)
        return int(_COMPARE[type(node.ops[0])](left, right))
    if isinstance(node, ast.BoolOp):
        values = [bool(_value(item, variable)) for item in node.values]
        return int(all(values) if isinstance(node.op, ast.And) else any(values))
    raise ValueError(ast.dump(node))
