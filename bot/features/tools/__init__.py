"""Tools of other programs: the servers that bring them, /tools, and the button that allows a call."""
