"""Earlier sessions of a place: their titles, and how far a session that went on was learned from."""
