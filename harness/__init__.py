"""Shared by tests and benchmarks: fakes of foreign services, samples, and a running Mneme."""
