"""Rerankers against scripted endpoints."""
