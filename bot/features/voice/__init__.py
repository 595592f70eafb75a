"""Recordings that are listened to and pictures that are looked at."""
