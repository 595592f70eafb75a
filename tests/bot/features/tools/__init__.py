"""Tests of bot/features/tools."""
