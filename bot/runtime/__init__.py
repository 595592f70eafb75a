"""What lives between turns."""
