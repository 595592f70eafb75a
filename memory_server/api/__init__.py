"""Routes, the gate before them, and the pages."""
