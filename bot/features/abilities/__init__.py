"""What needs no memory and no language model: the time, the date, days from here to there, and sums."""
