"""What the memory server's measurements are made of."""
