"""docs/judge-rates.md from the counts of the simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from rates import held_out, noise
from rates.bounds import rate, table, wilson
from rates.frozen import FEWEST, LOADS, Frozen
from rates.judge_rates import SHIFTS
from tenken.model import limits

Goal = tuple[str, bool]
HEAD = """# Error rates of the judge of change

Made by `./tenken test --long` (tests/rates); do not edit. Real runs stand first, simulated ones after them; places have a table
of their own ([place-rates.md](place-rates.md)).
"""
REAL = "## Real runs with nothing changed between them"
SIMULATED = "## Simulated runs"
NOISE = """
Runs of
{sections} correlated sections ({classes}; time, loss and jitter of each: {quantities} quantities), {runs} runs a line, judged by the
functions that judge real ones. Noise: {machines} (standard deviation of a repetition
and of a launch inside a sitting, and of a sitting). Half of a sitting's variance is common to
all sections and {of_class:.0%} to those of a class. One repetition in twenty is 25 % longer on average; {slow:.0%} of all sittings, in baselines
and in the runs that are judged, are {slow_least:.0%} to {slow_most:.0%} slow as a whole, single sections by half to one and a half of that.
Three launches a sitting; suspect runs get three more. In brackets: 95 % bounds (Wilson).
"""


def page(real: str, simulated: str) -> str:
    """The whole document: what real runs show is the honest figure, and stands first."""
    return f"{HEAD}\n{real}\n{simulated}"


def simulated(parts: Sequence[dict[str, Any]]) -> tuple[str, list[Goal]]:
    """The document but for the real runs, and the goals with whether they are reached."""
    machines = "; ".join(f"{one.name} {one.inside:.1%} and {one.sitting:.1%}" for one in noise.MACHINES)
    text = f"{SIMULATED}\n" + NOISE.format(
        sections=noise.SECTIONS, classes=", ".join(noise.CLASSES), quantities=3 * noise.SECTIONS, runs=parts[0]["runs"],
        machines=machines, of_class=noise.OF_CLASS, slow=noise.SLOW, slow_least=noise.SLOW_LEAST, slow_most=noise.SLOW_MOST,
    )
    text += "\n## Runs in which nothing changed\n\n" + table(
        ("machine", "sittings", "any FAIL", "any slower (WARN or FAIL)", "any faster", "launched again", "sections judged"),
        [_clean(part) for part in parts],
    )
    text += f"\nSlow sittings are {noise.SLOW:.0%} of these runs: they are called slower as a whole, and are most of what is called slower here.\n"
    text += "\n## One section slower: found (WARN or FAIL), and of all runs FAIL\n\n"
    text += "A class has a smallest effect that is worth a finding: " + ", ".join(
        f"{klass} {limits.CHANGE_WARN[klass]:.0%} (FAIL {limits.CHANGE_FAIL[klass]:.0%})" for klass in noise.CLASSES
    ) + ".\n\n"
    for klass in noise.CLASSES:
        text += f"### {klass}\n\n" + table(
            ("machine", "sittings", *(f"+{shift:.0%}" for shift in SHIFTS), "printed effect", "found at it"),
            [_one(part, klass) for part in parts],
        ) + "\n"
    text += "The printed effect is what the judge says would be found in 8 of 10 cases (mean over the runs).\n"
    text += "\n## Everything slower: found, and of all runs FAIL\n\n" + table(
        ("machine", "sittings", *(f"+{shift:.0%}" for shift in SHIFTS)), [_all(part) for part in parts]
    )
    text += (
        f"\nOne sitting cannot tell a slow day from a slower node: below {limits.SLOW_DAY:.0%} that is a WARN which asks for "
        "another sitting.\n"
    )
    return text, _goals(parts)


def real(machines: Sequence[Frozen]) -> str:
    """The beginning of the document."""
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
    return f"""{REAL}

Kept in tests/rates/sittings, a file a machine. Counters: of the wall time in the worst launch of a run, median and most over the runs
that counted it; what they tell a loud machine by. Fewer than {FEWEST} runs prove little yet, and stand last.

{table(("machine", "which is", "runs", "undisturbed launches", "measured", *LOADS), [_machine(one) for one in machines])}
Nothing changed between the runs of a machine: each was judged against baselines of that many of the others (sittings), without
confirming launches.

{table(head, rows)}
Slower by itself: not along with the whole run, which may be a slow day. Found: each time of each judgement in turn made
longer by so much. A FAIL takes {limits.CONFIRMED} undisturbed launches, which {" to ".join(sorted(enough))} % of the quantities had. Judgements
of one run share its data, so the bounds are too narrow.
To do the same on another machine: `tests/rates/collect.sh`.
"""


def _machine(one: Frozen) -> tuple[str, ...]:
    told = (one.loads.get(name, ()) for name in LOADS)
    return (
        one.name, one.words, str(len(one.runs)), str(one.launches), " to ".join(dict.fromkeys(one.dates)),
        *(f"{100 * median(some):.3g} %, {100 * max(some):.3g} % ({len(some)} runs)" if some else "not counted" for some in told),
    )


def _name(part: dict[str, Any]) -> tuple[str, str]:
    return part["machine"], str(part["sittings"])


def _clean(part: dict[str, Any]) -> tuple[str, ...]:
    runs = part["runs"]
    rates = (rate(part[f"clean {what}"], runs) for what in ("failed", "slower", "faster", "suspect"))
    return (*_name(part), *rates, f"{100 * part['judged'] / runs / noise.SECTIONS:.1f} %")


def _one(part: dict[str, Any], klass: str) -> tuple[str, ...]:
    cells = []
    for shift in SHIFTS:
        key = f"one {klass} {shift}"
        cells.append(f"{rate(part[key + ' found'], part[key + ' runs'])}, {100 * part[key + ' failed'] / part[key + ' runs']:.0f} %")
    runs = part[f"one {klass} {SHIFTS[0]} runs"]
    found = rate(part[f"printed {klass} found"], runs)
    return (*_name(part), *cells, f"+{100 * part[f'printed {klass} sum'] / runs:.1f} %", found)


def _all(part: dict[str, Any]) -> tuple[str, ...]:
    runs = part["runs"]
    return (*_name(part), *(
        f"{rate(part[f'all {shift} found'], runs)}, {100 * part[f'all {shift} failed'] / runs:.0f} %" for shift in SHIFTS
    ))


def _goals(parts: Sequence[dict[str, Any]]) -> list[Goal]:
    """The goals, each over the sizes of baseline that it is stated for."""
    goals: list[Goal] = []

    def goal(text: str, machines: Sequence[str], holds: Callable[[dict[str, Any]], bool], fewest: int = 3) -> None:
        mine = [part for part in parts if part["machine"] in machines and part["sittings"] >= fewest]
        goals.append((text, bool(mine) and all(holds(part) for part in mine)))

    def found(part: dict[str, Any], klass: str, shift: float) -> float:
        return part[f"one {klass} {shift} found"] / part[f"one {klass} {shift} runs"]

    both = ("quiet", "typical")
    goal("clean runs with any FAIL <= 1 % on quiet and typical machines", both, lambda p: p["clean failed"] <= 0.01 * p["runs"])
    goal("its upper bound <= 2 %", both, lambda p: wilson(p["clean failed"], p["runs"])[1] <= 0.02)
    goal("at least 90 % of sections judged there", both, lambda p: p["judged"] >= 0.9 * p["runs"] * noise.SECTIONS)
    goal("+10 % found >= 95 % on typical compute sections (10 sittings)", ["typical"], lambda p: found(p, "compute", 0.1) >= 0.95, 10)
    goal("+5 % found >= 90 % on quiet compute sections (5 sittings)", ["quiet"], lambda p: found(p, "compute", 0.05) >= 0.9, 5)
    every = [machine.name for machine in noise.MACHINES]
    for klass in noise.CLASSES:
        goal(f"at the printed effect found >= 80 %, {klass}", every, lambda p, k=klass: (
            p[f"printed {k} found"] >= 0.8 * p[f"one {k} {SHIFTS[0]} runs"]
        ))
    return goals
