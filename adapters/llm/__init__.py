"""Language models that speak the OpenAI chat completions protocol."""
