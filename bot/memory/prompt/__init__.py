"""The memory sections of a prompt: choosing, shortening, fencing, rendering."""
