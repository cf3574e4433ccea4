"""The typed evidence graph over a document's records (paper, section 2.4): a file per kind of rule."""
