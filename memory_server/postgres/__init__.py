"""Workspaces in PostgreSQL."""
