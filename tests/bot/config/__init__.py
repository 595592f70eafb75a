"""Tests of bot/config."""
