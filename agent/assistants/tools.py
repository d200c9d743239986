"""The functions of the pool as MCP tools."""

from typing import TYPE_CHECKING

from agent.wording import RISKS
from function_pool.risk import Risk
from function_pool.schema import parameters_schema
from function_pool.spec import FunctionSpec

if TYPE_CHECKING:
    from mcp.types import Tool

_REACHES_OTHERS = frozenset({Risk.R2, Risk.R3})


def tool_of(spec: FunctionSpec) -> "Tool":
    """Return one function as a tool: its name, its description, the schema of its arguments, and hints by its risk.

    Clients may use the hints to ask before they call; heed asks the owner whatever they say.
    """
    from mcp.types import Tool, ToolAnnotations

    return Tool(
        name=spec.name,
        description=f"{spec.description} The phone's owner is asked first ({spec.risk}: {RISKS[spec.risk]}).",
        input_schema=parameters_schema(spec),
        annotations=ToolAnnotations(
            title=spec.name.replace("_", " ").capitalize(),
            read_only_hint=spec.risk is Risk.R0,
            destructive_hint=spec.risk not in (Risk.R0, Risk.R1),
            idempotent_hint=spec.risk is Risk.R0,
            open_world_hint=spec.risk in _REACHES_OTHERS,
        ),
    )
