"""Rows of tables that several stores share, as plain functions on a connection; they know no store and no thread."""
