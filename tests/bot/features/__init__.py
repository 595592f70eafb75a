"""Tests of the features, each removable with its folder."""
