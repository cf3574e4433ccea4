"""The commands; parse, call pipeline, render."""
