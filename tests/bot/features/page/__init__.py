"""Tests of bot/features/page and adapters/page."""
