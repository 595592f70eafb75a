"""The local channel over real SQLite files."""
