"""Releases: both external schemas, the corpus folder, the sample release."""
