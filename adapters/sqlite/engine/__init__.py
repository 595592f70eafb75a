"""One writer thread, reader threads, connections and the schema."""
