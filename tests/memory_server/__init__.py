"""Tests of the memory server."""
