"""What models cost, and budgets that warn and stop: /usage."""
