"""Tests of the construction stages."""
