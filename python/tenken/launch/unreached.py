"""Which nodes a launcher lost or never reached, out of its words.

The words are those of Slurm (recorded in tests/slurm, and from public reports), Open MPI 4 and 5, Hydra and ssh. A line that
names the node on which something ran is no line about a lost node: when n2 fails, Slurm cancels the step on n1 as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreached:
    """Nodes in the order of the launcher's words, who reports it, and why where that is written."""

    nodes: tuple[str, ...]
    by: str
    why: str = ""


_REMOTE = r"(?:ORTE|PRTE) has lost communication with a remote daemon\.[\s\S]{0,400}?Remote daemon\s*:.*? on node (?P<node>\S+)"
_LOCATED = r"(?:ORTE|PRTE) has lost communication with its daemon located on node:\s+hostname:\s*(?P<node>\S+)"
# A daemon that says so is there; of any other reason, and new ones come with each version, the node is not to be used.
_ANSWERED = "Unable to layout tasks|Memory required|Requested |Access/permission denied|Unsupported|Plugin initialization failed"
# The first that fits counts: other messages follow from it.
_WORDS = (
    ("the scheduler", r"^(?:srun|salloc): error: Node failure on (?P<node>\S+)$"),
    ("srun", rf"^srun: error: Task launch for \S+ failed on node (?P<node>[^\s:]+): (?!{_ANSWERED})(?P<why>.*)$"),
    ("ssh", r"^ssh: connect to host (?P<node>\S+) port \d+: (?P<why>.*)$"),
    ("ssh", r"^ssh: Could not resolve hostname (?P<node>[^\s:]+): (?P<why>.*)$"),
    ("mpirun", _REMOTE),
    ("mpirun", _LOCATED),
    ("mpirun", r"unable to run bstrap_proxy on (?P<node>\S+) \(pid"),
)


def unreached(text: str, ended_by_us: bool = False) -> Unreached | None:
    """None where `text`, the launcher's output, names no lost node.

    `ended_by_us`: an mpirun that was killed writes that it lost its daemons, which proves nothing.
    """
    for by, pattern in _WORDS:
        matches = list(re.finditer(pattern, text, re.MULTILINE))
        if matches and not (ended_by_us and by == "mpirun"):
            nodes = tuple(dict.fromkeys(match_["node"] for match_ in matches))
            return Unreached(nodes, by, matches[0].groupdict().get("why", "").strip())
    return None
