"""Changes of the safety code, one at a time, and whether a test notices."""
