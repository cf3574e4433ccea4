"""The seven evidence geometries, one file each."""
