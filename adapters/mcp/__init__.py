"""Tools of other programs, by the Model Context Protocol (https://modelcontextprotocol.io)."""
