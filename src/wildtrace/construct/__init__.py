"""Construct: from raw documents to evidence trails."""
