"""Breaks the safety code on purpose, one small change at a time, and looks whether a test notices."""
