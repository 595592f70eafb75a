"""Tools that the model may call, one file each."""
