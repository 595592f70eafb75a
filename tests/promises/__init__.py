"""The promises that only the joined application can keep, in one process, small and seeded."""
