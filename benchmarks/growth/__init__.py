"""Measures how the work of every pattern and text function grows with the length of what somebody writes."""
