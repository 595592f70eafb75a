"""What is installed is all that is needed."""
