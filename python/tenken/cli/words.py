"""The words of the command line, and what `tenken --help` says of them."""

from __future__ import annotations

# word -> what it does; each is a module beside this one with main(arguments) -> exit code
WORDS = {
    "run": "measure and judge: a suite, a check, check:case or check:study (default: suite quick)",
    "rerun": "run cases of a run again, without the nodes that are suspected",
    "node-check": "is this node fit for work? within 30 s, for monitoring and prologs",
    "show": "judge a finished run again and print the answer",
    "report": "write the report files of a run again",
    "list": "checks, suites, studies, runs, machines or environments",
    "contract": "does a run meet the contract? clause by clause, with evidence and waivers",
    "baseline": "accept, list, show or drop what cases showed before",
    "history": "a figure through time: accepted sittings and runs",
    "compare-env": "may this compiler, MPI or library be released? two environments in turn on the same nodes",
    "compare": "reference systems and runs side by side: specification, published results, ratios",
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
