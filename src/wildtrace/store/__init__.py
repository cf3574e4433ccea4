"""The call ledger, the results files and the workspace of a construction: the only SQL."""
