"""The command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from xacc import VERSION
from xacc.count import count
from xacc.driver import copy_runtime, read_arguments, run
from xacc.messages import XaccError

_HELP = f"""xacc {VERSION}: serial C with XcalableMP and XcalableACC directives to C with MPI.

  xacc cc FILE... [-o PROG]     translate, compile and link
    -c                          objects only
    --emit [-o FILE]            write the translated C instead (standard output when there is no -o)
    --diff                      show the changes of the translation
    --fix                       print a patch of the directives that messages ask for (patch -p0 applies it)
    --explain                   print the translation of each directive; programs print the routes of their halos
    --serial                    ignore the directives: the serial program
    --check                     look at every access: indices that are not here, halos that are stale
    --acc                       with OpenACC
    --no-shift                  local subscripts instead of shifted origins (for sanitizers)
    --diagnostics-format=json   messages as JSON
    --cc COMPILER               instead of the compiler of mpicc
    anything else (-O3, -I, -l) goes to the compiler
  xacc count FILE               lines of source by kind
  xacc count SERIAL PARALLEL    and lines that the parallel program adds, deletes and changes; prints the rule
  xacc runtime -o FILE.a        the runtime alone, compiled with the flags that follow; for other linkers (xacc_embed.h)
  xacc --version
"""
_WORDS = ("cc", "count", "runtime")


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when all went well, 1 after errors in the sources, 3 after wrong arguments."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help", "help"):
        print(_HELP, end="")
        return 0 if given else 3
    if given[0] in _WORDS and any(word in ("-h", "--help") for word in given[1:]):
        print("".join(part for part in re.split(r"(?m)^(?=  xacc )", _HELP) if part.startswith(f"  xacc {given[0]} ")), end="")
        return 0
    if given[0] == "--version":
        print(f"xacc {VERSION}")
        return 0
    try:
        if given[0] == "count":
            return count(given[1:])
        if given[0] == "runtime":
            return copy_runtime(read_arguments(given[1:], need_files=False))
        if given[0] != "cc":
            raise XaccError(f"{given[0]} is no word of xacc; xacc cc FILE -o PROG translates and compiles, xacc --help lists all words.")
        return run(read_arguments(given[1:]))
    except XaccError as error:
        print(f"xacc: {error}", file=sys.stderr)
        return 3
    except BrokenPipeError:
        return 3
