"""The caller's nice value in a new session: there the kernel schedules by the nice value of the session's autogroup.

A new session has autogroup nice 0, whatever the nice value of its processes: `nice -n -10 ./tenken run` would have no
effect. Only the standard library: the supervisor runs it, and `refusal` as a program of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

_GROUP = Path("/proc/self/autogroup")  # "/autogroup-7 nice 0"
_ENABLED = Path("/proc/sys/kernel/sched_autogroup_enabled")
_TRIES, _BETWEEN_S = 8, 0.12  # without privileges the kernel takes a new value each 0.1 s, from all users together


def keep(nice: int) -> str:
    """Gives the session of this process the nice value `nice`; "" where it has it then, else why not."""
    for last in (attempt == _TRIES for attempt in range(1, _TRIES + 1)):
        try:
            if _of_session() in (nice, None):
                return ""
            _GROUP.write_text(str(nice))
            return "" if _of_session() == nice else f"it stays {_of_session()}"
        except BlockingIOError as error:
            if last:
                return str(error.strerror)
            time.sleep(_BETWEEN_S)
        except OSError as error:
            return str(error.strerror)
    return ""


def own() -> int:
    """The nice value of this process."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def refusal() -> str:
    """A sentence where launches will not have the nice value of this process, "" where they will."""
    nice = own()
    if nice == 0:
        return ""
    words = [sys.executable, "-I", "-S", "-B", __file__]
    done = subprocess.run(words, start_new_session=True, capture_output=True, text=True, check=False)
    why = done.stdout.strip()
    return f"nice {nice} has no effect on the launches: their session has autogroup nice 0 ({why})" if why else ""


def _of_session() -> int | None:
    """The nice value of the autogroup of this session, None where the kernel schedules this process without autogroups.

    A process in a control group with a CPU controller of its own is in no autogroup: the file is empty there.
    """
    if not _ENABLED.exists() or _ENABLED.read_text().strip() == "0" or not _GROUP.exists():
        return None
    words = _GROUP.read_text().split()
    return int(words[-1]) if words else None


if __name__ == "__main__":
    print(keep(own()))
