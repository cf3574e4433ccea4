"""The validity gates D1-D9, one file each."""
