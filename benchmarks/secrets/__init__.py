"""How many secrets are taken out of what people say, and how often something else is."""
