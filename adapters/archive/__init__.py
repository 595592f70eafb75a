"""A memory as one zip file: JSON lines for programs, Markdown for people, a manifest with the sums of both."""
