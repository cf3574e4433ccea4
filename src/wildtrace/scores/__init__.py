"""Scores: the table in which means, zeros and their reasons are computed; loading; comparability."""
