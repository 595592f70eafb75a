"""A scope as records to carry away, and such records stored again."""
