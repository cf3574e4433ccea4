"""Languages: what rules know of a language, one folder each, lists as data."""
