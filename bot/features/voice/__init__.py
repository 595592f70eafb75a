"""What is said and shown: recordings that are listened to, pictures that a model looks at."""
