"""Does this message answer that question: the model that reads both, trained and judged on written lives."""
