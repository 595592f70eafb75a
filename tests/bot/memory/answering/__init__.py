"""Answers without a language model: quotations with who said them and when."""
