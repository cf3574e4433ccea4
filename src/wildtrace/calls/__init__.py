"""Calls: the ledger, the loop over it, a run's identity."""
