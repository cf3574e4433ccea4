"""Rendering of Tables: text, CSV, LaTeX, figures, the HTML report."""
