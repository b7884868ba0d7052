"""The first word of the command line, and the one place where trouble becomes a sentence."""

from __future__ import annotations

import importlib
import os
import sys

from tenken import VERSION
from tenken.cli.terminal import guarded
from tenken.model.errors import TenkenError
from tenken.model.verdict import EXIT_NOTHING_JUDGED

# word -> what it does; each is a module beside this one with main(arguments) -> exit code
WORDS = {
    "run": "measure and judge: a suite, a check, check:case or check:study (default: suite quick)",
    "rerun": "run cases of a run again, without the nodes that are suspected",
    "node-check": "is this node fit for work? under 30 s, one line, for monitoring and prologs",
    "show": "judge a finished run again and print the answer",
    "report": "write the report files of a run again",
    "list": "checks, suites, studies, runs, machines or environments",
    "baseline": "accept, list, show or drop what cases showed before",
    "history": "a figure through time: accepted sittings and runs",
    "compare-env": "may this compiler, MPI or library be released? two environments in turn on the same nodes",
    "machine": "what this machine is, on one screen",
    "build": "compile the checks for this node",
    "new-check": "make the folder of a new check, which works and is to be changed",
    "test": "test Tenken itself",
}
USAGE = "usage: tenken WORD [OPTIONS]        tenken WORD --help tells the options of a word\n\n" + "".join(
    f"  {word:<11} {meaning}\n" for word, meaning in WORDS.items()
) + """
Start with:  ./tenken run --yes      (--yes: missing packages may be installed; without it nothing is)
Exit codes:  0 OK   1 WARN   2 INVALID, FAIL or ERROR   3 nothing judged, wrong arguments or interrupted   4 INCOMPLETE
"""


@guarded()
def main(arguments: list[str]) -> int:
    """Do what was typed; returns the exit code and never lets a traceback through."""
    arguments = [argument for argument in arguments if argument != "--yes"]  # the bootstrap's
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(USAGE, end="")
        return 0
    try:
        if arguments[0] == "--version":
            print(f"tenken {VERSION}")
            return 0
        if arguments[0] not in WORDS:
            from tenken.launch.suggest import unknown

            raise unknown("word", arguments[0], WORDS)
        return importlib.import_module(f"tenken.cli.{arguments[0].replace('-', '_')}").main(arguments[1:])
    except TenkenError as error:
        return _say(str(error))
    except KeyboardInterrupt:
        return _say("interrupted.")
    except BrokenPipeError:  # the reader of a pipe went away: `tenken show last | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_NOTHING_JUDGED
    except OSError as error:
        what = f"cannot use {error.filename}" if error.filename else "cannot go on"
        return _say(f"{what}: {error.strerror or error}; free some space or choose another folder (--runs DIR).")
    except Exception as error:  # noqa: BLE001  # the last resort: a sentence, with the details in a file
        return _say(f"internal error: {type(error).__name__}: {error} (details in {_details()}).")


def _say(sentence: str) -> int:
    print(f"tenken: {sentence}", file=sys.stderr, flush=True)
    return EXIT_NOTHING_JUDGED


def _details() -> str:
    import tempfile
    import traceback
    try:
        with tempfile.NamedTemporaryFile("w", prefix="tenken-error-", suffix=".txt", delete=False) as file:
            traceback.print_exc(file=file)
        return file.name
    except OSError:
        return "no file: nowhere to write"
