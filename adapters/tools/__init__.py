"""Tools that the model may call: one file each, joined to the loop by the composition root."""
