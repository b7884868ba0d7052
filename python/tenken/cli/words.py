"""The words of the command line, and the text of `tenken --help` on them."""

from __future__ import annotations

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
