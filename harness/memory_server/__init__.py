"""A memory server that is killed, and the facts about what it kept."""
