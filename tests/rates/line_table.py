"""The part of docs/judge-rates.md about noise that does not fit the model, and about shifts that many quantities share."""

from __future__ import annotations

from collections.abc import Mapping

from rates import noise
from rates.bounds import rate, table, wilson
from rates.line_rates import CLASS_SHIFT, LINES, SHARED, SHARED_BY, SHIFTS, SITTINGS, Counts
from rates.lines import TYPICAL

HEAD = "## Noise that does not fit the model"
TARGET, FLOOR = 0.01, 0.015  # of clean runs with any FAIL: upper 95 % bound
FOUND, FOUND_FLOOR = 0.90, 0.80  # of +20 % in one section with 5 sittings


def page(counts: Mapping[str, Counts]) -> str:
    """`counts` by "line/sittings", as `line_rates` makes them."""
    runs = next(iter(counts.values()))["runs"]
    text = f"""{HEAD}

{runs} runs a line (tests/rates/lines.py, line_rates.py), on a typical machine unless said; suspect cases, of five sections each,
are launched three more times, as in production. Slow sittings are among them as above. One section slower: found (WARN or FAIL),
and of all runs FAIL.

"""
    text += "".join(f"- {line.name}: {line.words}\n" for line in LINES) + "\n"
    rates = ("any FAIL", "any slower", "any faster", "launched again", "judged")
    head = ("noise", "sittings", *rates, *(f"+{shift:.0%}" for shift in SHIFTS))
    text += table(head, [_row(line.name, count, counts[f"{line.name}/{count}"]) for line in LINES for count in SITTINGS])
    text += f"""
## Many sections slower by {SHARED:.0%}

Of {noise.SECTIONS} sections, those of all classes alike, on a typical machine. FAIL of those that are slower; in brackets runs with any.

"""
    by = [counts[f"shared/{count}"] for count in SITTINGS]
    each = list(zip(map(str, SITTINGS), by, strict=True))
    head = tuple(f"{count} of {noise.SECTIONS}" for count in SHARED_BY)
    text += table(("sittings", *head), [
        (sittings, *(_shared(one, f"{count} of 40", count) for count in SHARED_BY)) for sittings, one in each
    ])
    text += "\nOthers that were called slower or faster though they are as before (slow sittings among them):\n\n"
    some = SHARED_BY[:-1]
    text += table(("sittings", *head[:-1], "one class"), [
        (sittings, *(_blamed(one, f"{count} of 40", noise.SECTIONS - count) for count in some), _blamed(one, "class", 30))
        for sittings, one in each
    ])
    text += f"\nAll latency sections slower by {CLASS_SHIFT:.0%}: found, of them FAIL, and said to be slower along with their class.\n\n"
    text += table(("sittings", "found", "FAIL", "with their class"), [
        (sittings, *(rate(one[key], 10 * one["runs"]) for key in ("class found", "class failed", "class named")))
        for sittings, one in each
    ])
    return text


def goals(counts: Mapping[str, Counts]) -> list[tuple[str, bool]]:
    lines = {key: one for key, one in counts.items() if not key.startswith("shared/")}
    five = [counts[f"{line.name}/5"] for line in LINES if line.machine == TYPICAL]
    return [
        (f"any FAIL on clean runs of every line: upper bound <= {FLOOR:.1%} (target {TARGET:.0%})",
         all(wilson(one["failed"], one["runs"])[1] <= FLOOR for one in lines.values())),
        (f"+20 % of one section found in {FOUND_FLOOR:.0%} with 5 sittings on typical noise (target {FOUND:.0%})",
         all(one["0.2 found"] >= FOUND_FLOOR * one["runs"] for one in five)),
        ("at least 90 % of sections judged there", all(one["judged"] >= 0.9 * one["runs"] * noise.SECTIONS for one in five)),
    ]


def _row(name: str, sittings: int, one: Counts) -> tuple[str, ...]:
    runs = one["runs"]
    found = (f"{100 * one[f'{shift} found'] / runs:.1f} %, {100 * one[f'{shift} failed'] / runs:.0f} %" for shift in SHIFTS)
    rates = (f"{100 * one[what] / runs:.1f} %" for what in ("slower", "faster", "suspect"))
    return (name, str(sittings), rate(one["failed"], runs), *rates, f"{100 * one['judged'] / runs / noise.SECTIONS:.1f} %", *found)


def _shared(one: Counts, name: str, count: int) -> str:
    runs = one["runs"]
    return f"{100 * one[f'{name} failed'] / runs / count:.0f} % ({100 * one[f'{name} any failed'] / runs:.0f} %)"


def _blamed(one: Counts, name: str, others: int) -> str:
    return f"{100 * one[f'{name} blamed'] / one['runs'] / others:.2f} %"
