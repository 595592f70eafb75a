"""Routes that answer in the shapes of LightRAG's own server."""
