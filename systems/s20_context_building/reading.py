"""Waits for several reads at once, for so long and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

import structlog

T = TypeVar("T")


async def within(deadline_s: float, asked: Mapping[str, asyncio.Task[T]]) -> tuple[dict[str, T], list[str]]:
    """Wait for all tasks at most ``deadline_s``; return results by name, and a note for each that gave none."""
    if not asked:
        return {}, []
    try:
        await asyncio.wait(asked.values(), timeout=deadline_s)
    finally:
        for task in asked.values():
            task.cancel()
    results: dict[str, T] = {}
    notes: list[str] = []
    for name, task in asked.items():
        if not task.done() or task.cancelled():
            notes.append(f"{name} missed the deadline of {deadline_s:g} s")
        elif (error := task.exception()) is not None:
            notes.append(f"{name} unavailable: {type(error).__name__}")
            structlog.get_logger().warning("memory read failed", channel=name, cause=type(error).__name__)
        else:
            results[name] = task.result()
    return results, notes
