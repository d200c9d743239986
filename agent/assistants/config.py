"""The section ``mcp`` of the configuration."""

from pydantic import Field, SecretStr

from agent.channels.config import ShownTexts
from heed.model import Frozen


class McpConfig(Frozen):
    """``heed mcp``: functions and context for assistants, over the Model Context Protocol."""

    texts: ShownTexts = ShownTexts.OWN
    """What assistants read of the context: ``full``, ``own`` (no text that others wrote) or ``none`` (no context)."""
    token: SecretStr = SecretStr("")
    """What a client over HTTP must send as ``Authorization: Bearer …``; without it, only stdio is served."""
    host: str = "127.0.0.1"
    """The address that HTTP is served on; anything but this machine's loopback is reachable by others."""
    port: int = Field(default=8747, ge=0, le=65535)
    """The port of HTTP; 0 = any free one."""
