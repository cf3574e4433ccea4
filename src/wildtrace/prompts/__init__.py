"""The verbatim prompt files and the one single-pass renderer."""
