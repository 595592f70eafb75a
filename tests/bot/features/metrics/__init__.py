"""Tests of bot/features/costs."""
