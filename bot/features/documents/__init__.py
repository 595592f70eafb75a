"""Documents: files that are sent and pages that are linked become memory; /docs, /ask, the tool that reads the web."""
