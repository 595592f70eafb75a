"""Figures of a running Mneme for Prometheus, and whether it is well, over HTTP."""
