"""Make LightRAG know the SQLite storages: its registry is two tables of names."""

from __future__ import annotations

from importlib import import_module

CLASSES = {
    "KV_STORAGE": ("SqliteKVStorage", "memory_server.storage.kv"),
    "VECTOR_STORAGE": ("SqliteVectorStorage", "memory_server.storage.vector"),
    "GRAPH_STORAGE": ("SqliteGraphStorage", "memory_server.storage.graph"),
    "DOC_STATUS_STORAGE": ("SqliteDocStatusStorage", "memory_server.storage.status"),
}


def register() -> None:
    """Add the four classes; safe to repeat."""
    kg = import_module("lightrag.kg")
    for kind, (name, module) in CLASSES.items():
        known = kg.STORAGE_IMPLEMENTATIONS[kind]["implementations"]
        if name not in known:
            known.append(name)
        kg.STORAGES[name] = module
        kg.STORAGE_ENV_REQUIREMENTS[name] = []
