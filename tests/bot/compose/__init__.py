"""The composition root: places, logs, settings in force, and what joins the parts."""
