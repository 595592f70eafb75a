"""Tests of bot/features/chats."""
