"""A simulated perf_event_open: rates of what it counts are in results and page; what it denies is one sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from whole_tool import run_folder, tenken

# Counts of event k grow by k + 1 a ns; TENKEN_TEST_PERF is the errno of every open, or 0.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
enum { most = 4096 };
static int members[most];
long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number != SYS_perf_event_open) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  const int denied = atoi(getenv("TENKEN_TEST_PERF"));
  if (denied) {
    errno = denied;
    return -1;
  }
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int leader = (int)a[3] < 0 ? descriptor : (int)a[3];
  if (descriptor < 0 || descriptor >= most) return -1;
  ++members[leader];
  return descriptor;
}
int close(int descriptor) {
  if (descriptor >= 0 && descriptor < most) members[descriptor] = 0;
  return (int)syscall(SYS_close, (long)descriptor);
}
ssize_t read(int descriptor, void* buffer, size_t bytes) {
  static ssize_t (*real)(int, void*, size_t);
  if (!real) real = (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
  if (descriptor < 0 || descriptor >= most || !members[descriptor]) return real(descriptor, buffer, bytes);
  uint64_t* const words = buffer;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  const int count = members[descriptor];
  if (bytes < 8u * (3u + (size_t)count)) {
    errno = ENOSPC;
    return -1;
  }
  words[0] = (uint64_t)count;
  words[1] = words[2] = ns;
  for (int k = 0; k < count; ++k) words[3 + k] = ns * (uint64_t)(k + 1);
  return (ssize_t)(8 * (3 + count));
}
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no cc to build the simulated counters with")
    folder = tmp_path_factory.mktemp("perf")
    (folder / "shim.c").write_text(SHIM)
    library = folder / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(folder / "shim.c"), "-ldl"], check=True)
    return library


def counted(shim: Path, tmp_path: Path, error: int, *typed: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The case of results.json, the header of its record, and the page."""
    environments = tmp_path / "tenken" / "environments"
    environments.mkdir(parents=True)
    (environments / "simulated.toml").write_text(
        f'programs_of = "openmpi"\n[variables]\nLD_PRELOAD = "{shim}"\nTENKEN_TEST_PERF = "{error}"\n', encoding="utf-8"
    )
    tenken("run", "same_answer:all_cores", "--environment", "simulated", "--set", "seconds=0.1", "--launches", "1",
           "--threads", "2", *typed, runs=tmp_path, XDG_CONFIG_HOME=str(tmp_path))
    folder = run_folder(tmp_path)
    header = next(folder.glob("launches/*/record.jsonl")).read_text().splitlines()[0]
    case = json.loads((folder / "results.json").read_text())["cases"][0]
    return case, json.loads(header), (folder / "report.html").read_text(encoding="utf-8")


def test_counts_are_rates_in_results_and_page(shim: Path, tmp_path: Path) -> None:
    case, header, page = counted(shim, tmp_path, 0, "--set", "counters=on")
    assert header["counters"]["problem"] is None and case["counters"]["problem"] is None
    rows = {row["path"]: row for row in case["counters"]["rows"]}
    leaves = {section["path"] for section in case["sections"] if section["leaf"] and not section["once"]}
    assert rows and rows.keys() <= leaves
    for row in rows.values():
        assert row["samples"] > 0 and row["dropped"] == 0
        assert row["instructions_per_cycle"] == pytest.approx(0.5, rel=1e-6)  # (k + 1) a ns
        assert row["instruction_rate"] > 0 and row["busy"] > 0
    assert "Counters of the processors" in page and "instructions a cycle" in page


def test_what_is_denied_is_one_sentence(shim: Path, tmp_path: Path) -> None:
    case, header, page = counted(shim, tmp_path, 13, "--set", "counters=on")
    sentence = header["counters"]["problem"]
    assert sentence.startswith("not permitted: /proc/sys/kernel/perf_event_paranoid says ")
    assert header["counters"] == {"problem": sentence}
    assert case["counters"] == {"problem": sentence, "notes": [], "rows": []}
    assert page.count(sentence) == 1 and case["verdict"] != "ERROR"


def test_counters_are_off_unless_they_are_wanted(shim: Path, tmp_path: Path) -> None:
    case, header, page = counted(shim, tmp_path, 0)
    assert "counters" not in header and case["counters"] is None and "Counters of the processors" not in page
