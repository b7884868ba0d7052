"""Moments as files tell them: ISO 8601, UTC."""

from __future__ import annotations

from datetime import datetime, timezone

DAY_S = 86400.0


def seconds(text: str) -> float | None:
    """Seconds since 1970 in UTC, None where `text` is no moment."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()
    except ValueError:
        return None


def written(at: datetime) -> str:
    """`at` as files tell it."""
    return f"{at.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
