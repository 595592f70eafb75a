"""What models cost: the ledger, budgets that warn and stop, /usage."""
