"""Frozen data of Tenken, with units in the names. No input, no output, no clock."""
