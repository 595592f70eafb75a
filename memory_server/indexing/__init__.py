"""From an accepted document to an indexed one, and back out."""
