"""The outside world, one package per kind; they do not know each other."""
