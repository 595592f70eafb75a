"""Routes, the middleware before them, and the pages."""
