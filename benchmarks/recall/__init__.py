"""Share of the labelled evidence that memory finds, through the product's own write and read path."""
