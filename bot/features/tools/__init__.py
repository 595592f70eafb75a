"""Servers of tools that the model may use: /tools, and the button that allows a call."""
