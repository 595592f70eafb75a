"""Other people's clients of a LightRAG server."""
