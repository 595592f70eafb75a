"""Lists: what is to be bought, done or packed, kept by sentences, /list and /lists."""
