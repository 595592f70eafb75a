"""Rows of tables that several stores share, as plain functions on a connection."""
