"""The errors of the model are those of everything below and above it."""

from tenken.base.errors import RecordError, TenkenError

__all__ = ["RecordError", "TenkenError"]
