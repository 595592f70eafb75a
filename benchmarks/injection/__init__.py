"""What injected orders achieve with a model that obeys all of them."""
