"""Files and pages as memory: /docs, /ask."""
