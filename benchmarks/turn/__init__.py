"""The cost of a turn without language model and LightRAG: ``python -m benchmarks.turn --json``."""
