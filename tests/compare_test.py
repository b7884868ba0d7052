"""`tenken compare` of systems: what the shipped machine files give, and what is not divided."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tenken.cli.main import main
from tenken.machine.files import Files, read_cores, read_files, read_machine
from tenken.machine.side_by_side import side_by_side
from tenken.model.machine import Line, Systems

MACHINES = Path(__file__).resolve().parent.parent / "machines"
FILES = read_files([MACHINES])


def compare(*names: str) -> Systems:
    return side_by_side([FILES.machines[name] for name in names], FILES)


def lines(systems: Systems, application: str) -> dict[str, Line]:
    blocks = [block for block in systems.blocks if block.application == application]
    return {f"{block.size}: {one.name}": one for block in blocks for one in block.lines}


def test_all_43_rows_of_k_and_fx100(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "k", "fx100"]) == 0
    out = capsys.readouterr().out
    rows = [one for one in out.splitlines() if re.match(r"\d{3,4} [A-Za-z]", one)]
    assert len(rows) == 43 and all(re.search(r" [\d.]+x$", one) for one in rows)
    assert re.search(r"1102 GS/MM/dgemm2 +16\.688 +82\.30 +82\.30 +12\.723 +54\.65 +54\.65 +0\.762x", out)
    assert re.search(r"2102 kernel2 +0\.039 +28\.00 +27\.70 +0\.092 +5\.92 +5\.94 +2\.36x", out)  # recomputed


def test_recomputed_percentages_of_times_are_of_one_work() -> None:
    systems = compare("k", "fx100")
    peaks, found = (128.0, 252.8), 0
    for block in systems.blocks:
        for line in block.lines:
            first, second = line.cells
            if block.unit == "s" and first and second and first.percent and second.percent:
                work = [float(c.value) * (c.percent or 0) * p for c, p in zip((first, second), peaks, strict=True)]
                assert work[0] == pytest.approx(work[1], rel=1e-9)
                found += 1
    assert found == 24


def test_ito_and_reedbush_with_their_slips(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "ito-b", "rb-u"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"peak of a processor, GFLOP/s +1325 +604\.8 +0\.457x", out)  # 1 / 2.19 of table 2
    assert re.search(r"memory rate of a processor, GB/s +127 +76\.80 +0\.605x", out)  # 1 / 1.65
    assert "3 x UPI, 10.4 GT/s" in out and "2 x QPI, 9.6 GT/s" in out and "4 x NVIDIA Tesla P100" in out
    assert re.search(r"1 node, N = 38400, 1 x 1 +1\.76 \[\d+\] +66\.4 +66\.43 +1149\.6 GFLOP/s +95\.0 +95\.04 +0\.653x", out)
    assert re.search(r"\[\d+\] ito-b: HPL, .*: section 3\.3 says 60\.5 % beside it, which is of 4 nodes", out)
    assert re.search(r"\[\d+\] reedbush-u: HPCG, .*: 3\.6 % printed, 1\.811 % from value and peak; 3\.6 % is of one socket", out)
    assert "the size of reedbush-u is not stated" in out


@pytest.mark.parametrize("names", [("ito-b", "reedbush-u"), ("reedbush-u", "ito-b")])
def test_every_build_of_one_system_is_divided_by_the_one_of_the_other(names: tuple[str, str]) -> None:
    found = lines(compare(*names), "GeoFEM-Cube/CG")
    assert len(found) == 8 and all(one.ratios[1] for one in found.values())
    ratio = found["129 x 129 x 129 nodes, 2 sockets, AVX2: iteration"].ratios[1]
    assert ratio == pytest.approx(5.16 / 2.85 if names[0] == "ito-b" else 2.85 / 5.16)


def test_every_published_figure_is_shown_once_or_more() -> None:
    for name, machine in FILES.machines.items():
        systems = compare(name, "k" if name != "k" else "fx100")
        shown = sum(line.cells[0] is not None for block in systems.blocks for line in block.lines)
        rows = sum(len(one.rows) for one in machine.results)
        assert shown == rows + sum(bool(s.seconds) for one in machine.published for s in one.sections), name


def test_three_systems_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "ofp", "coma", "fx100-nagoya", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["names"] == ["oakforest-pacs", "coma", "fx100-nagoya"]
    rows = [row for block in found["blocks"] if block["application"] == "ARTED stencil" for row in block["lines"]]
    names = [f"explicit vectors, C, 2 {of}" for of in ("KNC", "Ivy Bridge")]
    knc, bridge = ([one for row in rows if row["name"] == name for one in row["ratios"][1:]] for name in names)
    assert knc == pytest.approx([591.4 / 758.4, 192.3 / 758.4, 336.4 / 593.8, 179.1 / 593.8])
    gains = [row for block in found["blocks"] if block["unit"] in ("1", "%", "count") for row in block["lines"]]
    assert gains and all(one is None for row in gains for one in row["ratios"])  # a ratio of ratios says nothing
    assert bridge == pytest.approx([233.1 / 758.4, 192.3 / 758.4, 239.0 / 593.8, 179.1 / 593.8])


KEPT = str(MACHINES.parent / "tests" / "frozen" / "turbo-reference-blas")


def test_a_run_beside_two_systems_with_page_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["compare", "k", "fx100", KEPT, "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert len([one for one in out.splitlines() if re.match(r"\d{3,4} [A-Za-z]", one)]) == 43
    unbroken = " ".join(out.split())
    assert "Beside Lattice QCD, 2108 drbicgstab_dd, 48x24x24x48 [s]" in out and "Beside DGEMM of RSDFT, dgemm/16" in out
    assert "quantity (s on k, GFLOP/s on turbo-reference-blas), size (48x24x24x48 on k, lattice=8,8,8,16 on" in unbroken
    assert "turbo-reference-blas has no case of mpi_collectives, which is shown beside MPI_Allreduce, 8 nodes, 8 ranks" in unbroken
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 1 and "<script" not in text and "dgemm:one_and_all_cores rate/2" in text
    assert main(["compare", "k", "fx100", KEPT, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    beside = [block for block in found["blocks"] if block["application"].startswith("Beside")]
    assert len(beside) == 6 and all(line["ratios"][2] is None for block in beside for line in block["lines"])
    solver = [line for block in beside for line in block["lines"] if line["name"].endswith(" solver")]
    assert [cell["percent"] is not None for cell in solver[0]["cells"]] == [True] * 3


HEAD = "name = '{}'\nreference = true\n[node]\ncore = 'zen4'\nfrequency_ghz = 1.0\ncores = 1\nsockets = 1\n"
PUBLISHED = "[[published]]\napplication = 'a'\nsize = '{}'\nranks = {}\ncores_a_rank = 1\nsource = 's'\nstatistic = '{}'\n" \
    "sections = [{{id = 1, name = 'n', kind = 'whole', seconds = '{}'}}]\n"


def two(folder: Path, first: str, second: str) -> Systems:
    machines = []
    for name, text in (("x", first), ("y", second)):
        (folder / f"{name}.toml").write_text(HEAD.format(name) + text, encoding="utf-8")
        machines.append(read_machine(folder / f"{name}.toml"))
    return side_by_side(machines, Files(read_cores(MACHINES / "cores.toml"), (), {one.name: one for one in machines}))


@pytest.mark.parametrize(("size", "ranks", "statistic", "ratio", "said"), [
    ("16", 4, "best", 2.0, []),
    ("16", 8, "best", None, ["not divided: they differ in ranks (4 on x, 8 on y)"]),
    ("16", 4, "mean", None, ["not divided: they differ in statistic (best on x, mean on y)"]),
    ("not stated", 4, "best", 2.0, ["the size of y is not stated"]),
])
def test_what_differs_is_said_and_not_divided(
    tmp_path: Path, size: str, ranks: int, statistic: str, ratio: float | None, said: list[str]
) -> None:
    systems = two(tmp_path, PUBLISHED.format("16", 4, "best", "1.5"), PUBLISHED.format(size, ranks, statistic, "3.0"))
    [block] = systems.blocks
    assert (block.lines[0].ratios[1], list(block.apart)) == (ratio, said)


def test_another_size_stands_apart_and_says_so(tmp_path: Path) -> None:
    systems = two(tmp_path, PUBLISHED.format("16", 4, "best", "1.5"), PUBLISHED.format("32", 4, "best", "3.0"))
    assert [block.size for block in systems.blocks] == ["16", "32"]
    assert all(line.ratios == (None, None) for block in systems.blocks for line in block.lines)
    assert all(block.apart == ("not divided: sizes differ (16 on x, 32 on y)",) for block in systems.blocks)


@pytest.mark.parametrize(("names", "sentence"), [
    (["k", "fx10"], "unknown reference system or run 'fx10'; did you mean fx100"),
    (["k", "fx100", "last"], "no runs in"),
    (["k", "lost"], "unknown reference system or run 'lost'; valid: coma"),
    (["k", "k"], "compare takes two or more different systems or runs, found k, k."),
    (["ito-b"], "compare takes two or more different systems or runs, found ito-b."),
    ([KEPT, KEPT], "different systems or runs, found turbo-reference-blas, turbo-reference-blas."),
    (["k", str(MACHINES)], "no run"),
    ([], "tenken compare --help"),
])
def test_wrong_names(names: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *names, "--runs", str(tmp_path)]) == 3
    assert sentence in capsys.readouterr().err
