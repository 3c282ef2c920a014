"""The MCP server: tools and resources for an agent, over stdin and stdout."""
