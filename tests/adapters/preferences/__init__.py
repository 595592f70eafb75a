"""Tests of adapters/preferences."""
