"""The chronicle: lines of exchanges, read for questions over time."""
