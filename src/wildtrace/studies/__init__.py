"""Studies of people and judges: expert validation, evidence-visible judging, relabelling. One file a study."""
