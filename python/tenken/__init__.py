"""Tenken: the performance check-up for supercomputers (see docs/architecture.md)."""

VERSION = "0.1.0"
