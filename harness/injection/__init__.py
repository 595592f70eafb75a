"""Orders of strangers in everything that a model reads, and what an obedient model did of them."""
