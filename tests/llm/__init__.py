"""Tests against a real, small language model; run by `make test-llm`."""
