"""Times in plain words, read by the words of each language and by dateparser."""
