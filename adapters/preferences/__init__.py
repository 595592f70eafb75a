"""The operator's prompt sections and skills, read live from files."""
