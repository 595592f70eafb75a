"""No network but this machine's own while tests run."""
