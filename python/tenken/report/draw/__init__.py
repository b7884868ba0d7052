"""Figures as SVG: each module turns a part of an assessment into a string, "" where there is nothing to draw."""
