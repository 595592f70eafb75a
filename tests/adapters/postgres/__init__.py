"""The store on PostgreSQL: what only it has to show; everything else it shares with SQLite."""
