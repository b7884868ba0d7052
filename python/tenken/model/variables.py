"""Environment variables of a shell that a launch does not inherit, and variables that choose the kernels of a library.

A launch has the threads, places and way of waiting that its case states. `launch/command.py` sets the variables
for these and unsets NOT_PASSED_ON. KERNELS change the code that runs, which the user may choose: they stay and are
recorded.
"""

from __future__ import annotations

from collections.abc import Mapping

_OPENMP = (
    "OMP_THREAD_LIMIT", "OMP_TEAMS_THREAD_LIMIT", "OMP_NUM_TEAMS", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED",
    "OMP_SCHEDULE", "OMP_PLACES", "OMP_PROC_BIND",
)
# The form of OpenMP 5.2 for the host and all devices; it counts for the host where the plain form is not set.
_OPENMP_ALL = tuple(f"{name}_ALL" for name in _OPENMP)
_GNU = ("GOMP_CPU_AFFINITY", "GOMP_SPINCOUNT")
_LLVM_AND_INTEL = (
    "KMP_AFFINITY", "KMP_ALL_THREADS", "KMP_BLOCKTIME", "KMP_DEVICE_THREAD_LIMIT", "KMP_DYNAMIC_MODE",
    "KMP_HOT_TEAMS_MAX_LEVEL", "KMP_HOT_TEAMS_MODE", "KMP_HW_SUBSET", "KMP_LIBRARY", "KMP_MAX_THREADS",
    "KMP_PLACE_THREADS", "KMP_SCHEDULE", "KMP_SPIN_BACKOFF_PARAMS", "KMP_TEAMS_PROC_BIND",
    "KMP_TEAMS_THREAD_LIMIT", "KMP_TOPOLOGY_METHOD", "KMP_USER_LEVEL_MWAIT", "KMP_USE_YIELD",
    "LIBOMP_NUM_HIDDEN_HELPER_THREADS", "LIBOMP_USE_HIDDEN_HELPER_TASK",
)
_OTHER_COMPILERS = (
    "ACC_BIND", "ACC_NUM_CORES", "FLIB_BARRIER", "FLIB_CPU_AFFINITY", "FLIB_SPINWAIT", "FLIB_USE_ALLCPU",
    "FLIB_USE_CPURESOURCE", "MP_BIND", "MP_BLIST", "MP_SPIN", "NCPUS_MAX", "XLSMPOPTS",
)
_LIBRARIES = (
    "BLIS_IC_NT", "BLIS_IR_NT", "BLIS_JC_NT", "BLIS_JR_NT", "BLIS_PC_NT", "BLIS_THREAD_IMPL",
    "GOTOBLAS_MAIN_FREE", "GOTO_NUM_THREADS", "MKL_DOMAIN_NUM_THREADS", "MKL_DYNAMIC", "MKL_NUM_STRIPES",
    "OMP_ADAPTIVE", "OPENBLAS_DEFAULT_NUM_THREADS", "OPENBLAS_MAIN_FREE", "OPENBLAS_THREAD_TIMEOUT",
    "VECLIB_MAXIMUM_THREADS",
)
# Each changes number, place or waiting of threads, and Tenken gives it no value.
NOT_PASSED_ON = tuple(sorted((*_OPENMP, *_OPENMP_ALL, *_GNU, *_LLVM_AND_INTEL, *_OTHER_COMPILERS, *_LIBRARIES)))

# MKL_THREADING_LAYER stays: without it a program may load two OpenMP libraries.
KERNELS = (
    "AOCL_ENABLE_INSTRUCTIONS", "BLIS_ARCH_TYPE", "BLIS_MODEL_TYPE", "FLEXIBLAS", "FLEXIBLAS_CONFIG",
    "GLIBC_TUNABLES", "MKL_CBWR", "MKL_DEBUG_CPU_TYPE", "MKL_ENABLE_INSTRUCTIONS", "MKL_INTERFACE_LAYER",
    "MKL_THREADING_LAYER", "OPENBLAS_CORETYPE",
)


def not_passed_on(shell: Mapping[str, str]) -> str:
    """A sentence on the variables of `shell` that a launch does not inherit, "" where there are none."""
    dropped = [f"{name}={shell[name]}" for name in NOT_PASSED_ON if name in shell]
    verb = "is" if len(dropped) == 1 else "are"
    return f"{', '.join(dropped)} of the calling shell {verb} not passed on to the launches" if dropped else ""
