"""Finds the turns that answer a question: signals, their weights, and one ranking."""
