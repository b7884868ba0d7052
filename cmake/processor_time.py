"""Starts one test. Where $TENKEN_TEST_TIMES names a file, a line of it says what the test cost, with all that it started.

    python processor_time.py LABEL NAME COMMAND...

The line: LABEL, NAME, processor seconds, separated by tabs. CTest itself knows only how long a test took.
"""

import os
import resource
import signal
import subprocess
import sys

label, name, *command = sys.argv[1:]
file = os.environ.get("TENKEN_TEST_TIMES")
if not file:
    os.execvp(command[0], command)
code = subprocess.call(command)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
line = f"{label}\t{name}\t{used.ru_utime + used.ru_stime:.2f}\n"
out = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
os.write(out, line.encode())  # one write: tests run side by side
os.close(out)
if code < 0:  # a signal: CTest shall see that one, too
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -code)
sys.exit(code)
