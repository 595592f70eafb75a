"""Tests of bot/features/reminders."""
