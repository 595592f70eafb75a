"""The durable queue to long-term memory."""
