"""Made-up secrets in made-up texts."""
