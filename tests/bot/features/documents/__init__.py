"""Tests of bot/features/documents."""
