"""Entities and relations without a language model, in English and Russian."""
