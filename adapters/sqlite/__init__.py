"""One SQLite file for everything that must not be lost."""
