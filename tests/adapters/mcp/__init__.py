"""Tools of other programs, with servers of the same library as real processes."""
