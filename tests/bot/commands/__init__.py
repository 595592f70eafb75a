"""Tests of bot/commands."""
