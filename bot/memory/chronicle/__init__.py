"""What every exchange was about, in a line or two, and which lines answer a question over time or over everything."""
