"""Times that cannot be right."""

from __future__ import annotations

from datetime import datetime, timezone

from tenken.base.moments import seconds

_FIRST = datetime(2020, 1, 1, tzinfo=timezone.utc).timestamp()  # no run is older: a clock that was never set shows 1970
_AHEAD_S = 3600.0  # clocks of two nodes may differ


def doubt(started: str, *later: str | None) -> str:
    """Why `started` cannot be right, "" where it can; `later` are times of the same run that must follow it."""
    begin = seconds(started)
    if begin is None:
        return f"'{started}' is not a time"
    if begin < _FIRST:
        return "the clock was not set"
    if begin > datetime.now(timezone.utc).timestamp() + _AHEAD_S:
        return "it lies in the future"
    after = [at for one in later if one and (at := seconds(one)) is not None]
    if any(at < begin - _AHEAD_S for at in after):
        return "the clock jumped back during the run"
    return ""
