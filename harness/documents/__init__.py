"""Documents of every kind for tests and measurements, ordinary ones and hostile ones."""
