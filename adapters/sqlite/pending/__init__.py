"""What waits for somebody's word: a text that was asked for, a call that needs consent."""
