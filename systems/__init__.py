"""The pipeline: one file per system, named so that a listing shows their order."""
