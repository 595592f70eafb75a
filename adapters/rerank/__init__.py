"""Rerankers: Cohere and Jina over HTTP, FlashRank on this machine."""
