"""Figures as SVG: each module turns one part of an assessment into a string, or into "" where there is nothing to draw."""
