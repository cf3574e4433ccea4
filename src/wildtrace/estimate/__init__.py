"""Estimate: what a run will cost, before any request."""
