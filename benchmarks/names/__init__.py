"""Names in sentences: how they are told, and how well."""
