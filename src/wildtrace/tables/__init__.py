"""A table as data (`table`), as strings (`layout`), for a terminal (`drawing`) and in files (`formats`)."""
