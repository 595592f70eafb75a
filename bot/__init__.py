"""Mneme: an assistant whose memory can be trusted."""
