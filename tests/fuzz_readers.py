"""Fuzzers of the readers of stored files: whatever is done to a file, it is believed whole or refused in a sentence.

`python tests/fuzz_readers.py NAME SECONDS [SEED]` runs one of `fuzzers`, as `tenken test` does; a failing input is kept and
named.
"""

from __future__ import annotations

import io
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TREE / "python"), str(TREE / "tests")]

import builders as b
from sittings import accepted, sitting

from tenken.cli.main import main as tenken_main
from tenken.machine import probe as machine_probe
from tenken.machine.quick import quick_node
from tenken.model.check import SectionSpec
from tenken.base.errors import RecordError, TenkenError
from tenken.store.baseline import read, scan
from tenken.store.baseline_write import write
from tenken.store.checkfile import read_check
from tenken.store.files import write_json
from tenken.store.record import read_record
from tenken.store.runfolder import RunFolder

HANGS = 10  # seconds for one input, of which a reader takes milliseconds

# What readers stumble over: numbers that fit nothing, names that mean something elsewhere, wrong kinds.
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**400, 1e308, -1e308, 5e-324, 0.5, -0.0, "", "nan", "inf",
    "-inf", "\x00", "\x1b[2J", "\ud800", "../../x", "a" * 5000, [], {}, [[]], [None], {"": {}}, "0", "true", [1, 2, 3],
)  # fmt: skip
_BYTES = (b"\x00", b"\xff", b"{", b"}", b"[", b"]", b'"', b",", b"\n", b"NaN", b"Infinity", b"1e999", b"9" * 6000, b"[" * 3000)


class Failure(AssertionError):
    """An input that a reader neither believed nor refused properly."""


def fuzz_baseline(seconds: float, seed: int = 0) -> int:
    """Mutate a baseline file for `seconds`; returns how many inputs were tried."""

    def believed(path: Path) -> None:
        one = read(path)
        assert one.sitting.launches and all(each.values is not None for each in one.sitting.launches)

    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), accepted(sitting(exceptions={"n1": {"kernel": "5"}}), note="a note"))
        assert path is not None
        content = json.loads(path.read_text(encoding="utf-8"))
        del content["sha256"]  # as older files: else every change is refused for that alone
        path.write_text(json.dumps(content), encoding="utf-8")
        tried = _fuzz(path, believed, RecordError, seconds, seed, "baseline")
        scan(Path(folder))
    return tried


def fuzz_record(seconds: float, seed: int = 0) -> int:
    """Mutate a record for `seconds`; returns how many inputs were tried."""

    def believed(path: Path) -> None:
        record = read_record(path)
        assert len(record.rank) == record.ranks and all(len(one.ns) == len(one.repetition) for one in record.series)

    with tempfile.TemporaryDirectory() as folder:
        sections = (b.fma(1e9, 2), b.Timed("exchange/8", b.quiet(1e4, 2, 5), "comm", of="exchange", at=8))
        path = b.write_record(Path(folder) / "record.jsonl", b.record(*sections, values={"rounds": ("1", 3.0)}))
        return _fuzz(path, believed, RecordError, seconds, seed, "record")


def fuzz_check(seconds: float, seed: int = 0) -> int:
    """Mutate the description of a check for `seconds`; returns how many inputs were tried."""

    def believed(path: Path) -> None:
        check = read_check(path.parent)
        assert check.variants and all(case.variant in check.variants for case in check.cases)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream" / "check.toml"
        path.parent.mkdir()
        path.write_bytes((TREE / "checks" / "stream" / "check.toml").read_bytes())
        return _fuzz(path, believed, TenkenError, seconds, seed, "check")


def fuzz_folder(seconds: float, seed: int = 0) -> int:
    """Mutate any file of a whole run folder for `seconds`, then `show` and `report` it; returns how many were tried."""
    with tempfile.TemporaryDirectory() as base:
        folder, chance = _run_folder(Path(base)), random.Random(seed)
        files = sorted(path for path in folder.path.rglob("*") if path.suffix in (".json", ".jsonl"))
        end, tried = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            path = chance.choice(files)
            good = path.read_bytes()
            report = ("report", "--prometheus") if chance.random() < 0.9 else ("report",)  # whose page takes long to draw
            tried += _fuzz(path, lambda _: _shown(folder.path, report), TenkenError, 0, chance.randrange(2**31), "folder", once=True)
            path.write_bytes(good)
        return tried


def _run_folder(base: Path) -> RunFolder:
    """A run of one case and two launches, as written on disk."""
    section = SectionSpec("solve", "compute", "the work")
    check = b.check("demo", [b.metric("rate", "solve")], [section])
    measured = b.record(b.fma(40e9, 2, path="solve"), values={"rounds": ("1", 3.0)})
    case = b.case_run(measured, of=check, launches=[b.launch(1), b.launch(2)])
    folder = RunFolder.create(base, "fuzz", [case], 7, {"name": "gcc-openmpi", "on": "local", "nodes": 1})
    for launch in case.launches:
        folder.write_launch(launch)
        b.write_record(folder.path / launch.folder / "record.jsonl", measured)
    folder.write_run(replace(folder.read(), state="finished", seconds=2.0))
    write_json(folder.path / "machine.json", machine_probe.assemble([quick_node(host="n0")], {}, {}, "2026-11-22T08:00:00Z"))
    return folder


def _shown(folder: Path, report: tuple[str, ...]) -> None:
    """`show` and `report` as typed; TenkenError with what was said where they refuse, AssertionError for an internal error."""
    with io.StringIO() as out, io.StringIO() as err, redirect_stdout(out), redirect_stderr(err):
        for words in (("show",), report):
            code = tenken_main([*words, str(folder), "--runs", str(folder.parent), "--baselines", str(folder.parent / "none")])
            said = out.getvalue() + err.getvalue()
            assert "internal error" not in said, said[-500:]
            assert code in range(5) and not set("\x1b\x9b\u202e") & set(said), said[-500:]


fuzzers: dict[str, Callable[[float, int], int]] = {
    "baseline": fuzz_baseline, "check": fuzz_check, "folder": fuzz_folder, "record": fuzz_record,
}


def _fuzz(
    path: Path, believed: Callable[[Path], None], refused: type[TenkenError], seconds: float, seed: int, name: str,
    once: bool = False,
) -> int:
    """Write one mutation after the other to `path`; Failure, with the input kept, where anything but `refused` comes."""
    good, chance = path.read_bytes(), random.Random(seed)
    end, tried = time.monotonic() + seconds, 0
    signal.signal(signal.SIGALRM, _hangs)
    while time.monotonic() < end or (once and not tried):
        text = _mutated(good, chance)
        path.write_bytes(text)
        tried += 1
        signal.alarm(HANGS)
        try:
            believed(path)
        except refused as error:
            wrong = None if str(path) in str(error) else f"the sentence does not name the file: {error}"
        except Exception as error:  # noqa: BLE001  # what a fuzzer is for
            wrong = f"{type(error).__name__}: {error}"
        else:
            wrong = None
        finally:
            signal.alarm(0)
        if wrong:
            kept = Path(tempfile.gettempdir()) / f"tenken-fuzz-{name}-{seed}-{tried}"
            kept.write_bytes(text)
            raise Failure(f"{name} reader, seed {seed}, input {tried} (kept in {kept}): {wrong}")
    return tried


def _hangs(*_: object) -> None:
    raise TimeoutError(f"no answer after {HANGS} s")


def _mutated(good: bytes, chance: random.Random) -> bytes:
    """`good` damaged once or a few times: as bytes, as lines, or as the JSON values that it holds."""
    text = good
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        text = chance.choice((_bytes, _lines, _values, _values, _values))(text, chance)
    return text


def _bytes(text: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(text) + 1)
    kind = chance.randrange(5)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + bytes([chance.randrange(256)]) + text[at + 1:]
    if kind == 2:
        return text[:at] + chance.choice(_BYTES) + text[at:]
    other = chance.randrange(len(text) + 1)
    low, high = min(at, other), max(at, other)
    return text[:low] + text[high:] if kind == 3 else text[:high] + text[low:]


def _lines(text: bytes, chance: random.Random) -> bytes:
    lines = text.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _values(text: bytes, chance: random.Random) -> bytes:
    """Change one value: of the whole JSON text, or of one of its lines where these are JSON each, or TOML."""
    try:
        return json.dumps(_changed(json.loads(text), chance)).encode()
    except (ValueError, RecursionError):
        pass
    lines = text.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        lines[at] = json.dumps(_changed(json.loads(lines[at]), chance)).encode()
    except (ValueError, RecursionError):
        key, equals, _ = lines[at].partition(b" = ")
        lines[at] = key + equals + json.dumps(chance.choice(_VALUES)).encode() if equals else key
    return b"\n".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    """`value` with one thing in it, at any depth, replaced, removed, doubled or renamed."""
    inner = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not inner or chance.random() < 0.1:
        return chance.choice(_VALUES)
    key = chance.choice(inner)
    kind = chance.random()
    if kind < 0.7:
        value[key] = _changed(value[key], chance)
    elif kind < 0.8:
        del value[key]
    elif isinstance(value, list):
        value.append(value[key])
    else:
        value[str(chance.choice(_VALUES))[:40]] = value[key]
    return value


def main(name: str, seconds: str, seed: str = "0") -> int:
    """0 where nothing was found; else 1, and the sentence is on standard output."""
    try:
        print(f"{name} reader: {fuzzers[name](float(seconds), int(seed))} inputs")
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
