"""Studies: expert, evidence-visible, relabelling."""
