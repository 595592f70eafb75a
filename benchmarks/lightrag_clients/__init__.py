"""Other people's clients of LightRAG, run against a real memory server."""
