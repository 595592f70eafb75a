"""Tests of bot/features/transfer."""
