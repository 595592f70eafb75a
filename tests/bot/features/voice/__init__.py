"""Tests of bot/features/voice."""
