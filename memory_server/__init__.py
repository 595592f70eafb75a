"""LightRAG behind its own REST API, for many isolated workspaces."""
