"""How documents are cut."""
