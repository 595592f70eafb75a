"""Documents of a chat, pure: what a file says becomes chunks, and a chunk tells where it stands."""
