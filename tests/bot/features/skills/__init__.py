"""Tests of bot/features/skills."""
