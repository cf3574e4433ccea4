"""The construction stages, in order: from a source to a release."""
