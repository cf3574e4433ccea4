"""Answering and scoring with the evidence withheld; pure decisions, no I/O."""
