"""Reminders: the table is the truth about what comes when; nothing about it is kept anywhere else."""
