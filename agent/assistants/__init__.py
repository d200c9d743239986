"""The MCP server: assistants ask for calls, and the owner answers on a channel all the same."""
