"""Costs and limits of the memory server: ``python -m benchmarks.memory_server COMMAND``."""
