"""Documents of scopes: their chunks, their words, their vectors."""
