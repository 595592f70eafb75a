"""Tests of bot/features/users."""
