"""Settings: strict schema, immutable snapshots, live reload."""
