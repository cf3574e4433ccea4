"""Local records of a document (paper, section 2.4 and Table 6): a file per kind of record, by rules and by a model."""
