"""Features: a folder each, and a line in ``bot/compose/features.py``; none knows another."""
