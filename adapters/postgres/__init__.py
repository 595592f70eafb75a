"""PostgreSQL as the engine below the rooms of :mod:`adapters.sqlite`."""
