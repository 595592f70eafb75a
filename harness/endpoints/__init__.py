"""Model servers written elsewhere, and checks of the wire against them."""
