"""The running bot between turns."""
