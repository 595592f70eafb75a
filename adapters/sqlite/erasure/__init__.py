"""Forgetting, proof of it, and taking it back."""
