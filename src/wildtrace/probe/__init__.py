"""Probe: how much of a document a model really reads."""
