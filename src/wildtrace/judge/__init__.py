"""The judge prompt, the reply reader and the panel's arithmetic: used by evaluate and by gates."""
