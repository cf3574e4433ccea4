"""Statistics: one file each, compute(...) -> Table; pure."""
