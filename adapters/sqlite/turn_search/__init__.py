"""The local channel: finds verbatim turns by words, meaning, speaker and time."""
