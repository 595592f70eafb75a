"""Long-term memory: LightRAG over its REST API."""
