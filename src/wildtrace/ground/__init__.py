"""Ground: where a quote stands in a text."""
