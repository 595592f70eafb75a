"""Behaviour, one sentence per test."""
