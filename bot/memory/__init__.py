"""What memory means: pure functions on frozen data, standard library and numpy only."""
