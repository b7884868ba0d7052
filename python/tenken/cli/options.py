"""The words of the command line, their options (argparse with Tenken's exit code and suggestions), and shared options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from tenken.base.errors import TenkenError
from tenken.base.words import unknown


class Parser(argparse.ArgumentParser):
    """Refuses by TenkenError: argparse's own exit code 2 would read as a bad verdict."""

    def __init__(self, word: str, description: str) -> None:
        super().__init__(
            prog=f"tenken {word}", description=description, allow_abbrev=False,
            formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30, width=100),
        )

    def error(self, message: str) -> NoReturn:
        raise TenkenError(f"{message}; see {self.prog} --help.")

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        options, rest = self.parse_known_intermixed_args(list(arguments))
        for word in rest:
            if word.startswith("-"):
                raise unknown("option", word.split("=")[0], self._option_string_actions, of=f" of {self.prog}")
            self.error(f"'{word}' is one argument too many")
        return options


def add_runs(parser: Parser) -> None:
    parser.add_argument("--runs", metavar="DIR", help="folder of runs (default: $TENKEN_RUNS, else runs/ in the tree)")


def add_baselines(parser: Parser) -> None:
    parser.add_argument(
        "--baselines", metavar="DIR",
        help="folder of baselines (default: $TENKEN_BASELINES, else baselines/ in the tree)",
    )


def add_machine(parser: Parser) -> None:
    parser.add_argument("--machine", metavar="M", help="machine file (default: $TENKEN_MACHINE, else by host name)")


def add_environment(parser: Parser) -> None:
    parser.add_argument(
        "--environment", metavar="E",
        help="words joined by + (gcc, clang, openmpi, mpich, portable, avx2, avx512, vector16, vector32, vector64, sanitize), "
        "or a name of `list environments`. A study over environments takes several, joined by commas",
    )


def add_overrides(parser: Parser, launches: str) -> None:
    """Options for every selected case; `launches` says which launches --launches counts."""
    add = parser.add_argument
    add("--set", action="append", default=[], metavar="P=V", help="parameter of every selected case; fault, seconds, "
        "repetitions and bind exist in every check")
    add("--variant", metavar="V", help="variant of every selected case")
    add("--ranks", metavar="N", help="number, core, numa or socket")
    add("--threads", metavar="N", help="OpenMP threads a rank: number or fill")
    add("--launches", type=int, metavar="N", help=launches)
    add("--timeout", type=float, metavar="S", help="seconds after which a launch is ended")


def add_on(parser: Parser) -> None:
    parser.add_argument(
        "--on", metavar="WHERE", help="local (default), slurm (srun in this allocation) or a template with {ranks}"
    )


def add_place(parser: Parser) -> None:
    add_on(parser)
    parser.add_argument("--nodes", type=int, metavar="N", help="nodes of this allocation to use (default 1)")


def add_all(parser: Parser) -> None:
    parser.add_argument("--all", action="store_true", help="print every finding, metric and case")
    parser.add_argument("--json", action="store_true", help="print results.json instead of text")


_UNITS = {"s": 1, "min": 60, "h": 3600}


def seconds(option: str, typed: str) -> float:
    """A time as typed: seconds, or a number with s, min or h. TenkenError where it is no positive time."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|min|h)?", typed.strip(), re.ASCII)
    duration = float(match[1]) * _UNITS[match[2] or "s"] if match else 0.0
    if not 0 < duration < float("inf"):
        raise TenkenError(f"{option} '{typed}': expected a positive time, such as 600 (seconds), 30min or 8h.")
    return duration


def parameters(typed: Sequence[str]) -> dict[str, str]:
    """`--set P=V` as typed; the last of a name counts."""
    result = {}
    for setting in typed:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise TenkenError(f"--set '{setting}': expected PARAMETER=VALUE, such as --set seconds=2.")
        result[name] = value
    return result


# word -> its purpose; each word is a module beside this one with main(arguments) -> exit code
WORDS = {
    "run": "measure and judge: a suite, a check, check:case or check:study (default: suite quick)",
    "rerun": "run the cases of a run again, without suspected nodes",
    "node-check": "test this node within 30 s, for monitoring and prologs",
    "show": "judge a finished run again and print the answer",
    "report": "write the report files of a run again",
    "list": "list checks, suites, studies, runs, machines or environments",
    "contract": "compare a run with a contract, clause by clause, with evidence and waivers",
    "baseline": "accept a run as baseline; list, show or drop baselines",
    "history": "print one figure through time: accepted sittings and runs",
    "compare-env": "decide whether a compiler, MPI or library may be released: two environments in turn",
    "compare": "show reference systems and runs side by side, with ratios",
    "machine": "describe this machine on one screen",
    "build": "compile the checks for this node",
    "install": "copy Tenken with its build to a folder for all users",
    "new-check": "make the folder of a new check that builds and passes its tests",
    "test": "test Tenken itself",
}
USAGE = "usage: tenken WORD [OPTIONS]        tenken WORD --help lists the options of a word\n\n" + "".join(
    f"  {word:<11} {meaning}\n" for word, meaning in WORDS.items()
) + """
Every word takes --config DIR: a folder of configuration that has the last word after /etc/tenken and ~/.config/tenken.
Start with:  ./tenken run --yes      (--yes installs missing packages; without --yes nothing is installed)
Exit codes:  0 OK   1 WARN   2 INVALID, FAIL or ERROR   3 nothing judged, wrong arguments or interrupted   4 INCOMPLETE
"""
