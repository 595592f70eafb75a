"""How much of the labelled evidence memory finds, through the product's own write and read path."""
