"""What chats have settled for themselves."""
