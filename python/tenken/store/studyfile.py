"""Reading `[study.NAME]` of a check.toml: axes, plot, and whether every point of the sweep has a place in the plot."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from tenken.base.toml import Table, split_range
from tenken.base.words import nearest
from tenken.model.check import Parameter, Plot, PublishedRow, Study, StudyAxis
from tenken.store.casefile import RANK_WORDS, THREAD_WORDS, known_parameters, misfit, read_case, read_formerly, with_ends

MOST_AXES = 3
SCALING = ("strong", "weak")  # speed-up over the smallest point of each line
KINDS = ("curve", "metrics", *SCALING, "heat", "stack")
MARKS = ("caches", "ceiling", "launches")
CORES = "cores"  # x: ranks x threads
COUNTS = ("ranks", "ranks_per_node", "threads")


def read_study(
    name: str, table: Table, variants: tuple[str, ...], parameters: Mapping[str, Parameter], metrics: Collection[str],
) -> Study:
    """The study in `table`."""
    axes = _read_axes(table, variants, known_parameters(parameters))
    swept = {swept_name for axis in axes for swept_name in axis.sweeps}
    study = Study(
        name=name,
        title=table.text("title"),
        question=table.text("question"),
        case=read_case(name, table, variants, parameters, swept),
        axes=axes,
        plot=(plot := _read_plot(_part(table, "plot"), axes, parameters, metrics)),
        published=_read_published(table, plot, axes) if "published" in table else (),
        formerly=read_formerly(table),
    )
    fixed = sorted(swept & study.case.parameters.keys())
    if fixed:
        table.fail("parameters", f"'{fixed[0]}' is swept by an axis too; leave it out here")
    table.done()
    return study


def _part(table: Table, key: str) -> Table:
    content = table.raw(key)
    if not isinstance(content, dict):
        table.fail(key, f"expected a table [{table.name}.{key}], found {content!r}")
    return Table(table.file, f"{table.name}.{key}", content)


def _read_axes(
    table: Table, variants: tuple[str, ...], parameters: Mapping[str, Parameter]
) -> tuple[StudyAxis, ...]:
    content = table.raw("axis")
    if not isinstance(content, dict) or not 1 <= len(content) <= MOST_AXES:
        table.fail("axis", f"expected a table of 1 to {MOST_AXES} axes, such as axis.threads = [1, 2, 4]")
    part, axes, swept = _part(table, "axis"), [], set[str]()
    for name, written in content.items():
        sweeps = written if isinstance(written, dict) else {name: written}
        for swept_name, values in sweeps.items():
            if swept_name in swept:
                part.fail(name, f"'{swept_name}' is swept twice")
            swept.add(swept_name)
            problem = _misfit_values(swept_name, values, variants, parameters)
            if problem:
                part.fail(name, problem)
        if not sweeps or (len(sweeps) > 1 and len({_length(values) for values in sweeps.values()} - {None}) > 1):
            part.fail(name, "values that move together need lists of equal length")
        if all(isinstance(values, list) for values in sweeps.values()):
            steps = list(map(repr, zip(*sweeps.values(), strict=False)))  # a range in a list stands for several values
            if len(set(steps)) < len(steps):
                part.fail(name, f"a value is there twice in {written!r}")
        axes.append(StudyAxis(name, {swept_name: _frozen(values) for swept_name, values in sweeps.items()}))
    return tuple(axes)


def _misfit_values(
    name: str, values: Any, variants: tuple[str, ...], parameters: Mapping[str, Parameter]
) -> str | None:
    """Why `values` cannot be swept, as the end of a sentence."""
    words = {"ranks": RANK_WORDS, "threads": THREAD_WORDS, "variant": variants}.get(name, ())
    own = {name: Parameter(name, "int", 1, "", low=1.0) for name in COUNTS} | {
        "variant": Parameter("variant", "choice", variants[0], "", choices=variants),
        "environment": Parameter("environment", "environment", None, ""),
    }
    if name not in own and name not in parameters:
        return f"'{name}' is unknown; {nearest(name, [*own, *parameters])}"
    parameter = own.get(name) or parameters[name]
    if parameter.type in ("int", "size") and split_range(values):
        values = [values]
    if not isinstance(values, list) or not values:
        more = ' or a text "A..B" (doublings from A to B)' if parameter.type in ("int", "size") else ""
        return f"expected a list of values{more}, found {values!r}"
    if name == "environment":
        strange = (environment for environment in values if not environment or type(environment) is not str)
        return next((f"expected the name of an environment, found {environment!r}" for environment in strange), None)
    single = [with_end for value in values for with_end in (with_ends([value]) if parameter.type in ("int", "size") else [value])]
    return next((problem for value in single if value not in words and (problem := misfit(parameter, value))), None)


def _length(values: Any) -> int | None:
    """None where a range makes it known on the machine alone."""
    return len(values) if isinstance(values, list) and not any(map(split_range, values)) else None


def _frozen(values: Any) -> Any:
    return values if isinstance(values, str) else list(values)


def _read_plot(
    table: Table, axes: tuple[StudyAxis, ...], parameters: Mapping[str, Parameter], metrics: Collection[str]
) -> Plot:
    names = [axis.name for axis in axes]
    x = table.text("x")
    if x not in (*names, CORES) and not re.fullmatch(r"value:\S+", x):
        table.fail("x", f"'{x}' is unknown; {nearest(x, [*names, CORES, 'value:NAME'])}")
    y = (table.text("y"),) if isinstance(table.raw("y"), str) else table.words("y")
    for metric in y:
        if metric not in metrics:
            table.fail("y", f"metric '{metric}' is unknown; {nearest(metric, metrics)}")
    if not y:
        table.fail("y", "name at least one metric")
    plot = Plot(
        kind=table.word("kind", KINDS, "curve"),
        x=x,
        y=y,
        lines=table.word("lines", names) if "lines" in table else None,
        panels=table.word("panels", names) if "panels" in table else None,
        log=_some(table, "log", ("x", "y")),
        marks=_some(table, "marks", MARKS),
    )
    _check_places(table, plot, axes, parameters)
    table.done()
    return plot


def _read_published(table: Table, plot: Plot, axes: tuple[StudyAxis, ...]) -> tuple[PublishedRow, ...]:
    """`[study.NAME.published]`: METRIC = [{machine, application, section, x, size, panel, change_of}, ...]."""
    part, rows = _part(table, "published"), list[PublishedRow]()
    if plot.kind != "curve":
        part.fail("kind", f"published results are drawn in a curve, not in a plot of kind {plot.kind}")
    for metric in table.raw("published"):
        if metric not in plot.y:
            part.fail(metric, f"is not among y of the plot; {nearest(metric, plot.y)}")
        written = part.raw(metric)
        if not isinstance(written, list) or not all(isinstance(row, dict) for row in written):
            part.fail(metric, f"expected a list of {{machine, application, section, x}}, found {written!r}")
        for row in written:
            rows += _published_rows(Table(table.file, f"{part.name}.{metric}", row), metric, plot, axes)
    return tuple(rows)


def _published_rows(row: Table, metric: str, plot: Plot, axes: tuple[StudyAxis, ...]) -> list[PublishedRow]:
    """A row for each place in `x`: a list of places stands for a row with as many values."""
    x = row.raw("x")
    places = x if isinstance(x, list) and x else [x]
    if any(isinstance(place, bool) or not isinstance(place, (int, float, str)) for place in places):
        row.fail("x", f"expected a place on x, or a list of places, found {x!r}")
    panel = row.optional_text("panel") or ""
    if panel:
        swept: Mapping[str, Any] = next((axis.sweeps for axis in axes if axis.name == plot.panels), {})
        values = swept.get(plot.panels or "")
        known = [str(value) for value in values] if isinstance(values, list) else []
        if panel not in known:
            row.fail("panel", f"'{panel}' is no place on the axis of panels; {nearest(panel, known)}" if known
                     else "the plot has no panels whose places are words; leave it out")
    change_of = None
    if "change_of" in row:
        of = _part(row, "change_of")
        change_of = (of.text("application"), of.text("section"))
        of.done()
    labels = (metric, row.text("machine"), row.text("application"), row.text("section"), row.optional_text("size") or "")
    row.done()
    return [
        PublishedRow(
            *labels, x=place if isinstance(place, str) else float(place), panel=panel,
            number=number if isinstance(x, list) else None, change_of=change_of)
        for number, place in enumerate(places)
    ]


def _some(table: Table, key: str, valid: tuple[str, ...]) -> tuple[str, ...]:
    words = table.words(key, ())
    for word in words:
        if word not in valid:
            table.fail(key, f"'{word}' is unknown; {nearest(word, valid)}")
    return words


def _check_places(table: Table, plot: Plot, axes: tuple[StudyAxis, ...], parameters: Mapping[str, Parameter]) -> None:
    """Refuses a plot in which points lie on each other, or marks that have no meaning on its axes."""
    names = [axis.name for axis in axes]
    used = [name for name in (plot.x, plot.lines, plot.panels) if name in names]
    if len(set(used)) < len(used):
        table.fail("x", "x, lines and panels need an axis each")
    along = [name for name in names if name not in used]
    if plot.x in names and along:
        table.fail("lines", f"axis '{along[0]}' is neither x, lines nor panels: its points would lie on each other")
    if plot.x not in names and len(along) != 1:
        table.fail("lines", f"x = \"{plot.x}\" needs exactly one axis that is neither lines nor panels")
    if plot.kind in SCALING and plot.x not in (CORES, *COUNTS):
        table.fail("kind", f"{plot.kind} scaling needs x = {' or '.join((CORES, *COUNTS))}, found \"{plot.x}\"")
    _check_kind(table, plot, names)
    swept: Mapping[str, Any] = next((axis.sweeps for axis in axes if axis.name == plot.x), {})
    bytes_of = plot.x.startswith("value:") or any(
        name in parameters and parameters[name].type == "size" for name in swept
    )
    if "caches" in plot.marks and not bytes_of:
        table.fail("marks", f"caches can be marked where x is in bytes, and \"{plot.x}\" is not")


def _check_kind(table: Table, plot: Plot, names: Collection[str]) -> None:
    """Refuses plots that a matrix and stacked bars cannot show."""
    if plot.kind == "heat" and (plot.x not in names or plot.lines is None):
        table.fail("lines", "a heat needs two axes: x for its columns and lines for its rows")
    if plot.kind == "stack" and plot.lines is not None:
        table.fail("lines", "a stack has no lines: its bars show the sections; use panels")
    if plot.kind in ("heat", "stack"):
        for key, words in (("log", plot.log), ("marks", plot.marks)):
            if words:
                table.fail(key, f"a {plot.kind} has none; leave it out")
