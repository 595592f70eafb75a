"""Models over real HTTP, with every fault that servers have shown."""
