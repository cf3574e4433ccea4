"""Scripts for those who work on WildTrace; not part of the package."""
