"""docs/judge-rates.md: error rates of the judge on real sittings (frozen.py), quick runs (quick.py) and simulations (simulator.py).

./tenken test --long simulates, writes it and prints which goals are reached. By hand: PYTHONPATH=python:tests python3
tests/rates/page.py (--runs 2000); with --kept no simulation is made anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from rates import disturbed, frozen, held_out, lines, place_data, places, quick, simulator
from rates.bounds import rate, table, wilson
from rates.change import CLASS_SHIFT, LASTING, SCENES, SHARED, SHARED_BY, SHIFTS, SITTINGS
from rates.frozen import FEWEST, LOADS, Frozen
from rates.lines import LINES, SECTIONS, TYPICAL
from rates.simulator import Counts
from tenken.model import limits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "judge-rates.md"
TARGET, FLOOR = 0.01, 0.015  # of clean runs with any FAIL: upper 95 % bound
FOUND, FOUND_FLOOR, PRINTED = 0.90, 0.80, 0.80  # of +20 % in one section with 5 sittings; of the effect that is printed
INNOCENT, GUILTY = 0.02, 0.9  # of the innocent sections called slower at most; of those slower by 20 % and more found at least
Goal = tuple[str, bool]
HEAD = """# Error rates of the judge

Made by `./tenken test --long` (tests/rates); do not edit. Real runs stand first, simulations after them.
In brackets: 95 % bounds (Wilson).
"""


def page(counts: Mapping[str, Counts]) -> str:
    parts = (HEAD, real(frozen.read_all()), quick_runs(quick.read()), noise(counts), many(counts), in_a_row(counts), innocents(counts),
             load(counts), wrong_places(counts))
    return "\n".join(parts)


def real(machines: Sequence[Frozen]) -> str:
    counted = [(one, held_out.held_out(one)) for one in machines]
    enough = {f"{100 * counts[0].confirmed / counts[0].quantities:.0f}" for _, counts in counted}
    head = ("machine", "sittings", "judgements", "any FAIL", "any slower", "of them by itself", "any faster", "quantities judged",
            "called changed", *(f"+{shift:.0%} found" for shift in held_out.SHIFTS))
    rows = [
        (machine.name, str(one.sittings), str(one.judgements),
         *(rate(hits, one.judgements) for hits in (one.failed, one.slower, one.alone, one.faster)),
         f"{100 * one.judged / one.quantities:.1f} %", f"{one.called} of {one.quantities}",
         *(f"{100 * hits / one.times:.0f} %" for hits in one.found))
        for machine, counts in counted for one in counts
    ]
    return f"""## Real runs with nothing changed between them

tests/rates/sittings has a file for each machine. Counters: share of the wall time in the worst launch of a run, median and
most over the runs that counted it. Fewer than {FEWEST} runs prove little and stand last.

{table(("machine", "which is", "runs", "undisturbed launches", "measured", *LOADS), [_machine(one) for one in machines])}
Each run was judged against baselines of that many of the others (sittings), without confirming launches.

{table(head, rows)}
Slower by itself: not along with the whole run, which may be a slow day. Found: each time of each judgement in turn made
longer by so much. A FAIL takes {limits.CONFIRMED} undisturbed launches, which {" to ".join(sorted(enough))} % of the quantities had.
Judgements of one run share its data, so the bounds are too narrow. `tests/rates/collect.sh` measures another machine.
"""


def _machine(one: Frozen) -> tuple[str, ...]:
    told = (one.loads.get(name, ()) for name in LOADS)
    return (
        one.name, one.words, str(len(one.runs)), str(one.launches), " to ".join(dict.fromkeys(one.dates)),
        *(f"{100 * median(some):.3g} %, {100 * max(some):.3g} % ({len(some)} runs)" if some else "not counted" for some in told),
    )


def quick_runs(state: quick.State) -> str:
    rows = []
    for node, kinds in state.items():
        for beside, runs in kinds.items():
            most = [run["row"][3].split() for run in runs]
            verdicts = ", ".join(dict.fromkeys(run["row"][1] for run in runs))
            rows.append((node, quick.TITLES[beside], runs[0]["row"][0][:10], str(len(runs)), verdicts,
                         str(sum(int(judged) >= 0.9 * int(of) for judged, _, of in most)), ", ".join(quick.contradicted(runs)) or "none"))
    head = ("node", "load", "measured", "runs", "verdicts", "with 9 of 10 cases judged", "cases OK once and a finding another time")
    return f"""## Quick runs in a row

`{quick.COMMAND}` several times; tests/rates/quick.json has every run with its counters of load.

{table(head, rows)}"""


def noise(counts: Mapping[str, Counts]) -> str:
    machines = "; ".join(f"{one.name} {one.inside:.1%} and {one.sitting:.1%}" for one in lines.MACHINES)
    head = ("noise", "sittings", "runs", "any FAIL", "any slower", "any faster", "launched again", "judged",
            *(f"+{shift:.0%}" for shift in SHIFTS), "printed effect")
    rows = [_line(line.name, size, counts[f"{line.name}/{size}"]) for line in LINES for size in SITTINGS]
    return f"""## Simulated change

Runs (tests/rates/lines.py) judged by the functions that judge real runs: {SECTIONS} correlated sections
({", ".join(lines.CLASSES)}) with time, loss and jitter. Noise: {machines}
(standard deviation of a repetition and of a launch inside a sitting, and of a sitting). Half of the variance of a sitting is
common to all sections and {lines.OF_CLASS:.0%} to those of a class. One repetition in twenty is 25 % longer on average.
{lines.SLOW:.0%} of all sittings are {lines.SLOW_LEAST:.0%} to {lines.SLOW_MOST:.0%} slow as a whole; most of what is called slower below are such days.
Three launches a sitting; suspect cases, of five sections each, are launched three more times, as in production. The machine is
typical unless said. One section slower: detected (WARN or FAIL), and of all runs FAIL. The printed effect is the smallest change
that the judge says to detect in 8 of 10 runs: how often it is detected.

{"".join(f"- {line.name}: {line.words}" + chr(10) for line in LINES)}
{table(head, rows)}"""


def _line(name: str, sittings: int, one: Counts) -> tuple[str, ...]:
    runs = one["runs"]
    found = (f"{100 * one[f'{shift} found'] / runs:.1f} %, {100 * one[f'{shift} failed'] / runs:.0f} %" for shift in SHIFTS)
    rates = (f"{100 * one[key] / runs:.1f} %" for key in ("slower", "faster", "suspect"))
    return (name, str(sittings), str(runs), rate(one["failed"], runs), *rates, f"{100 * one['judged'] / runs / SECTIONS:.1f} %", *found,
            f"{100 * one['printed found'] / one['printed']:.1f} %")


def many(counts: Mapping[str, Counts]) -> str:
    by = {size: counts[f"shared/{size}"] for size in SITTINGS}
    rows = [(f"{count} of {SECTIONS}", str(size), f"{100 * one[f'{count} of 40 failed'] / one['runs'] / count:.0f} %",
             f"{100 * one[f'{count} of 40 any failed'] / one['runs']:.0f} %", _blamed(one, count))
            for count in SHARED_BY for size, one in by.items()]
    of_class = [(str(size), *(rate(one[key], 10 * one["runs"]) for key in ("class found", "class failed", "class named")))
                for size, one in by.items()]
    return f"""## Many sections slower by {SHARED:.0%}

{table(("slower", "sittings", "of them FAIL", "runs with any FAIL", "others called slower or faster"), rows)}
All latency sections slower by {CLASS_SHIFT:.0%}: detected, of them FAIL, and called slower along with their class.

{table(("sittings", "detected", "FAIL", "with their class"), of_class)}"""


def _blamed(one: Counts, count: int) -> str:
    return f"{100 * one[f'{count} of 40 blamed'] / one['runs'] / (SECTIONS - count):.2f} %" if count < SECTIONS else ""


def in_a_row(counts: Mapping[str, Counts]) -> str:
    rows = []
    for line in LINES:
        one = counts[f"in a row: {line.name}/5"]
        clean = (rate(one[key], one["runs"]) for key in ("clean lasting", "clean failed"))
        rows.append((line.name, *clean, *(f"{100 * one[key] / one['runs']:.0f} %" for key in ("shifted failed", "shifted alone"))))
    return f"""## Three sittings in a row

Runs that come after two others, against 5 sittings. Said to last where nothing changed; FAIL then, for this or by the run alone;
and FAIL of one section that is slower by {LASTING:.0%} in all three, beside those that the last run alone would have failed.

{table(("noise", "said to last", "any FAIL", f"+{LASTING:.0%} FAIL", "alone"), rows)}"""


def innocents(counts: Mapping[str, Counts]) -> str:
    rows = []
    for scene in SCENES:
        for size in SITTINGS:
            one = counts[f"{scene.name}/{size}"]
            blamed = (rate(one[key], one["innocents"]) for key in ("named", "faster"))
            rows.append((scene.name, str(size), *blamed, rate(one["found"], one["slow"])))
    head = ("scene", "sittings", "innocents called slower", "innocents called faster", "slow sections detected")
    return f"""## Innocent sections beside slow sections

Some sections are slower and the others are as before: innocents ([decision 49](decisions/change.md#49)).

{table(head, rows)}"""


def load(counts: Mapping[str, Counts]) -> str:
    by = [(share, counts[f"disturbed: {share:g}"]) for share in disturbed.SHARES]
    rows = [(f"{100 * share:g} %", str(one["runs"]), rate(one["wrong"], one["runs"] - one["not judged"]),
             rate(one["not judged"], one["runs"])) for share, one in by]
    return f"""## Disturbed launches

Records with known undisturbed times, from half to twice the limit of a section, on 1, 2 or 4 ranks with 1 to 300 repetitions.
Other load takes a part of the launch in bursts of {disturbed.LENGTHS[0]:g} to {disturbed.LENGTHS[-1]:g} repetitions, on one rank or on all, anywhere or only
while the section runs. In three of ten records the section waits for others; one in ten has rare slow repetitions. OK is right
where the undisturbed time is within the limit, WARN where it is not.

{table(("lost of the launch", "records", "wrong, of the judged", "not judged"), rows)}"""


def wrong_places(counts: Mapping[str, Counts]) -> str:
    rows = []
    for line in places.LINES:
        one = counts[f"place: {line.name}"]
        floor = "" if line.floor is None else f"{'at least' if line.right else 'at most'} {100 * line.floor:.0f} %"
        rows.append((line.machine, line.planted, "named right" if line.right else "anybody named", str(one["runs"]),
                     rate(one["hits"], one["runs"]), floor))
    data, hops = place_data, " : ".join(f"{one:g}" for one in place_data.HOPS[1:])
    return f"""## Places: nodes, ranks, rings and trees

Typical noise unless said, {data.SECTIONS} sections, {data.LAUNCHES} launches (tests/rates/place_data.py makes the data and shares nothing
with the judge). Right is the place that was planted and nothing else. A noisier node is so in all its noise: repetitions,
launches, ranks, sections, and as a whole unless said. A hit makes a node {data.HIT - 1:.0%} slower for a launch. A rank that is
stopped stands still for {data.STOP_MS:.0f} of each {data.STOP_MS + data.RUN_MS:.0f} ms. In a ring the late rank is late outside
of its timed sections. The tree has 2 pods of 4 switches of 8 ends; times are 1 : {hops} on a switch, in a pod, between pods;
between other switches 1 : 1.4.

{table(("machine", "planted", "counted", "runs", "rate", "floor"), rows)}"""


def goals(counts: Mapping[str, Counts]) -> Iterator[Goal]:
    change_lines = [counts[f"{line.name}/{size}"] for line in LINES for size in SITTINGS]
    five = [counts[f"{line.name}/5"] for line in LINES if line.machine == TYPICAL]
    yield (f"any FAIL on clean runs of every line: upper bound <= {FLOOR:.1%} (target {TARGET:.0%})",
           all(wilson(one["failed"], one["runs"])[1] <= FLOOR for one in change_lines))
    yield (f"+20 % of one section found in {FOUND_FLOOR:.0%} with 5 sittings on typical noise (target {FOUND:.0%})",
           all(one["0.2 found"] >= FOUND_FLOOR * one["runs"] for one in five))
    yield "at least 90 % of sections judged there", all(one["judged"] >= 0.9 * one["runs"] * SECTIONS for one in five)
    fitting = [counts[f"{line.name}/{size}"] for line in LINES if line.words == LINES[0].words for size in SITTINGS]
    yield (f"the printed effect found in {PRINTED:.0%} where the noise fits the model",
           all(one["printed found"] >= PRINTED * one["printed"] for one in fitting))
    yield ("clean runs that are said to last, on every line: upper bound <= 1 %",
           all(wilson(one["clean lasting"], one["runs"])[1] <= 0.01 for name, one in counts.items() if name.startswith("in a row")))
    for scene in SCENES:
        some = [counts[f"{scene.name}/{size}"] for size in SITTINGS]
        yield (f"{scene.name}: innocents called slower or faster in at most {INNOCENT:.0%}",
               all(max(one["named"], one["faster"]) <= INNOCENT * one["innocents"] for one in some))
        if scene.by >= 0.2:
            yield f"{scene.name}: found in {GUILTY:.0%}", all(one["found"] >= GUILTY * one["slow"] for one in some)
    by_share = [counts[f"disturbed: {share:g}"] for share in disturbed.SHARES]
    yield "a verdict on a disturbed launch is right in 99 %", (
        sum(one["wrong"] for one in by_share) <= 0.01 * sum(one["runs"] - one["not judged"] for one in by_share))
    five_percent = counts["disturbed: 0.05"]
    yield "at most 10 % not judged where 5 % of the launch were lost", five_percent["not judged"] <= 0.1 * five_percent["runs"]
    yield "nothing is unjudged where nothing was lost", counts["disturbed: 0"]["not judged"] == 0
    for line in (one for one in places.LINES if one.floor is not None):
        one, word = counts[f"place: {line.name}"], "named right in at least" if line.right else "anybody named in at most"
        bar = line.floor * one["runs"]
        yield f"{line.name}, {word} {line.floor:.0%}", one["hits"] >= bar if line.right else one["hits"] <= bar


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help=f"of each simulation, in steps of {simulator.CHUNK}")
    parser.add_argument("--kept", action="store_true", help="of the counts that are kept, as after new real runs")
    typed = parser.parse_args()
    if not typed.kept:
        simulator.write(simulator.simulate(typed.runs))
    counts = simulator.read()["all"]
    PAGE.write_text(page(counts), encoding="utf-8")
    reached = list(goals(counts))
    for goal, good in reached:
        print(f"judge rates: {goal}: {'passed' if good else 'FAILED'}")
    return 0 if all(good for _, good in reached) else 1


if __name__ == "__main__":
    sys.exit(main())
