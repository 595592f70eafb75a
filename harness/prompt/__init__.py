"""Prompts given to a language model while a conversation is replayed through the running bot, and their counts."""
