"""LightRAG's four storage kinds on one SQLite file per workspace."""
