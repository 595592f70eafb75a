"""Tests of bot/texts."""
