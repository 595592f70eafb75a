"""Tests of the SQLite store beyond its ports: threads, faults, damage, bytes on disk."""
