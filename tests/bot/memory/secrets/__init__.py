"""Secrets, which must not be remembered: keys, cards, accounts, passwords."""
