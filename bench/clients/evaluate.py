"""Evaluates what arrives on standard input, one JSON line each, in the environment of a Python client.

It runs as a script in an environment in which heed is not installed. A request holds ``code``, an expression or
statements, in which ``await`` may stand, or ``names``, variables to set. An answer holds ``value`` (bytes as text in
Latin-1; what JSON has no form for as its ``repr``) or ``error``.
"""

import ast
import asyncio
import inspect
import json
import os
import sys
import types
from typing import Any


def plain(value: Any) -> Any:
    """A value that JSON has no form for."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("latin-1")
    if isinstance(value, (set, frozenset, types.GeneratorType)):
        return list(value)
    return repr(value)


def evaluate(code: str, names: dict[str, Any], loop: asyncio.AbstractEventLoop) -> Any:
    """The value of an expression; None after statements."""
    for kind in ("eval", "exec"):
        try:
            compiled = compile(code, "call", kind, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except SyntaxError:
            if kind == "exec":
                raise
            continue
        value = eval(compiled, names)
        return loop.run_until_complete(value) if inspect.isawaitable(value) else value
    return None


def main() -> None:
    """Answers until standard input ends. What a client prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    names: dict[str, Any] = {}
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            names.update(request.get("names", {}))
            text = json.dumps({"value": evaluate(request.get("code", "None"), names, loop)}, default=plain)
        except BaseException as error:  # noqa: BLE001 - a client's error is an answer, an exit of its own too
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        answers.write(text + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
