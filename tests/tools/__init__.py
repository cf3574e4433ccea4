"""Tests of the scripts for those who work on the project."""
