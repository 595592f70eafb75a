"""Text to vectors, on this machine or at an endpoint."""
