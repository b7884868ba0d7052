"""Strong scaling as a whole: efficiency, the shares of halos and reductions, and a fit of the rows with unshared cores; two
faces at once by their best routes beside both by one route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from tenken.judge.common import digits, launch_sections, percent, plural, readings
from tenken.model.judgement import StudyTold, StudyToTell, ToJudge
from tenken.model.run import Measured
from tenken.model.study import StudyTable

SOLVE, REFLECT, REDUCTION = "solve", "solve/reflect", "solve/reduction"
HEADINGS = ("program", "ranks", "t x z", "us", "speed-up", "efficiency %", "halo %", "sums %", "cores")
ALONE = "alone"
ROUTES = ("datatype", "packed", "shared")  # by their numbers in a record
FACES = ("lattice", "t by", "us", "z by", "us", "both us", "by one us", "ratio", "overlap")
SHARED = {"core shared": "another hardware thread"}  # by the name of a reading; any other is a program on the same processors


@dataclass(frozen=True, slots=True)
class Row:
    """One point of the study; times of an iteration in us, medians over its launches."""

    program: str
    ranks: int
    grid: str
    time: float
    halo: float
    reduction: float
    shared: str  # with what its cores were shared; "" where it had them alone


@dataclass(frozen=True, slots=True)
class Fit:
    """t = fixed + divided / ranks, in us."""

    fixed: float
    divided: float
    rows: int


def tell(of: StudyToTell) -> StudyTold:
    """What belongs to the whole of a study that has it."""
    of_study = {"strong": _scaling, "routes": _two_faces}.get(of.study.name)
    return of_study(of.points) if of_study else StudyTold()


def _scaling(points: Sequence[ToJudge]) -> StudyTold:
    rows = [row for point in points if (row := _row(point)) is not None]
    programs = {name: [row for row in rows if row.program == name] for name in dict.fromkeys(row.program for row in rows)}
    table = StudyTable("an iteration: efficiency, and the shares of halos and of sums over ranks", HEADINGS,
                       tuple(cells for members in programs.values() for cells in _cells(members)), _below(rows))
    fits = {name: fit(members) for name, members in programs.items()}
    notes = tuple(_fitted(name, found) for name, found in fits.items() if found)
    return StudyTold((table,) if rows else (), notes or ("no fit, which needs two numbers of ranks with unshared cores",))


def _row(point: ToJudge) -> Row | None:
    """Of the launches that had unshared cores; of all where there are none."""
    case = point.case
    shared = [_shared(point, each) for each in point.measured]
    alone = [each for each, why in zip(point.measured, shared, strict=True) if not why]
    times = [{one.path: one.median_ns / 1e3 for one in launch_sections(each)} for each in alone or point.measured]
    if not times or any(SOLVE not in each for each in times):
        return None
    values = {value.name: value.value for value in point.measured[0].record.values}
    time, halo, reduction = (median([each.get(path, 0.0) for each in times]) for path in (SOLVE, REFLECT, REDUCTION))
    grid = f"{values['ranks_t']:.0f} x {values['ranks_z']:.0f}"
    return Row(f"{case.variant}, {case.parameters['route']}", case.ranks, grid, time, halo, reduction, "" if alone else shared[0])


def _shared(point: ToJudge, measured: Measured) -> str:
    if point.case.oversubscribed:
        return "more threads than cores"
    processors = [(rank.host, cpu) for rank in measured.record.rank for cpu in rank.cpus]
    if len(processors) > len(set(processors)):
        return "two ranks on a processor"
    worst = next((reading for reading in readings(measured) if reading.exceeded), None)
    return SHARED.get(worst.name, "other load") if worst else ""


def _cells(rows: Sequence[Row]) -> Iterable[tuple[str, ...]]:
    """The base of a speed-up is the row on the fewest ranks, of those with unshared cores where there are some."""
    base = min([row for row in rows if not row.shared] or rows, key=lambda row: row.ranks)
    for row in rows:
        gain = base.time / row.time
        figures = (row.time, gain, 100 * gain * base.ranks / row.ranks, 100 * row.halo / row.time, 100 * row.reduction / row.time)
        yield (row.program, str(row.ranks), row.grid, *map(digits, figures), f"~ {row.shared}" if row.shared else ALONE)


def _below(rows: Sequence[Row]) -> str:
    note = "shares include packing, and waiting for other ranks"
    return f"~ shared its cores, is left out of the fit; {note}" if any(row.shared for row in rows) else note


def fit(rows: Sequence[Row]) -> Fit | None:
    """Least squares of the relative deviations, over the rows with unshared cores; None where they are too few."""
    own = [row for row in rows if not row.shared]
    if len({row.ranks for row in own}) < 2:
        return None
    ones, inverse = [1 / row.time for row in own], [1 / (row.ranks * row.time) for row in own]
    aa, ab, bb = (sum(x * y for x, y in zip(p, q, strict=True)) for p, q in ((ones, ones), (ones, inverse), (inverse, inverse)))
    a, b, det = sum(ones), sum(inverse), aa * bb - ab * ab
    return Fit((a * bb - b * ab) / det, (b * aa - a * ab) / det, len(own))


def _fitted(name: str, of: Fit) -> str:
    return (f"{name}: {digits(of.fixed)} us + {digits(of.divided)} us / ranks fits {plural(of.rows, 'row')} with unshared cores; "
            f"{percent(of.fixed / (of.fixed + of.divided))} of one rank's time does not scale")


def _two_faces(points: Sequence[ToJudge]) -> StudyTold:
    """Where all routes were measured in one launch; of several launches the median of each figure."""
    rows = tuple(_faces(point) for point in points if point.case.parameters["route"] == "auto" and _values(point, "one_route_us"))
    note = "by one: both by the best single route; ratio: both over by one, overlap: the longer of t and z over both"
    return StudyTold((StudyTable("two faces, each by its best route, at once", FACES, rows, note),) if rows else ())


def _faces(point: ToJudge) -> tuple[str, ...]:
    t, z, both, single = (_values(point, f"{name}_us") for name in ("face_t", "face_z", "both_faces", "one_route"))
    by_t, by_z, by_one = (_named(_values(point, f"route_{name}")) for name in ("t", "z", "both"))
    gain, overlap = [two / one for two, one in zip(both, single, strict=True)], _values(point, "overlap_efficiency")
    return (str(point.case.parameters["lattice"]), by_t, digits(median(t)), by_z, digits(median(z)), digits(median(both)),
            f"{digits(median(single))} ({by_one})", digits(median(gain)), digits(median(overlap)))


def _named(numbers: Iterable[float]) -> str:
    """The routes of the launches."""
    return " or ".join(dict.fromkeys(ROUTES[int(number)] for number in numbers))


def _values(point: ToJudge, name: str) -> list[float]:
    """Of each launch."""
    return [value.value for each in point.measured for value in each.record.values if value.name == name]
