"""Names: who and what is named in exchanges, kept exact with them."""
