"""What tests and benchmarks share: fakes of foreign services, samples, and a running Mneme."""
