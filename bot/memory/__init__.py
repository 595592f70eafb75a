"""The domain of memory: pure functions on frozen data, standard library and numpy only."""
