"""Long-term memory over REST."""
