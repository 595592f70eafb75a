"""Sessions with model servers written elsewhere, and what they cost there."""
