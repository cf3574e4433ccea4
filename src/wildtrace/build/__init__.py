"""The construction stages, in order: ingest segment extract link mine write promote review lock."""
