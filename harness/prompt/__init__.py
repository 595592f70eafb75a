"""What a language model is given while a conversation is replayed through the running bot, and how it is counted."""
