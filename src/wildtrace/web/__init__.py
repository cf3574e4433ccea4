"""The review desk; thin."""
