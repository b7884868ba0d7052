"""Reading `check.toml`: errors are refused with file, table and key."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from tenken.base import toml, units
from tenken.base.errors import TenkenError
from tenken.base.toml import Table, read_toml
from tenken.base.words import nearest
from tenken.model.check import (
    CaseSpec, Check, Counterpart, MetricSpec, Parameter, Provides, SectionSpec, Study, ValiditySpec, VariantSpec,
)
from tenken.model.limits import METRIC_CLASSES
from tenken.store.casefile import (
    THREAD_LEVELS, broken_check, read_case, read_check_formerly, read_formerly, read_parameter, without_conflicts,
)
from tenken.store.studyfile import read_study

KINDS = ("compute", "comm", "io", "wait")
RATES = ("flop_rate", "byte_rate", "message_rate")  # of a leaf, or of a group: the work of the leaves inside over its time
QUANTITIES = ("time", "time_per_call", *RATES)
# Kinds of bounds of a rate, with the quantity that they bound.
CEILINGS = {"flop": "flop_rate", "memory": "byte_rate", "network": "byte_rate", "io": "byte_rate"}
PRECISIONS = ("double", "single")
DEFAULT_TESTS_S = 15.0
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PATH = re.compile(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)*")


def load_checks(root_folders: Iterable[Path], names: Collection[str] | None = None) -> dict[str, Check]:
    """Every check folder (a folder with a `check.toml`) in the given folders, by name; TenkenError for two of the same name.

    `names`: these checks alone; older names that others claim too are then not looked for.
    A check whose file is refused is there too, with its `problem`: it takes out nothing but itself.
    """
    checks: dict[str, Check] = {}
    for root in root_folders:
        for file in sorted(root.glob("*/check.toml")):
            if names is not None and file.parent.name not in names:
                continue
            try:
                check = read_check(file.parent)
            except TenkenError as problem:
                check = broken_check(file.parent, str(problem))
            if check.name in checks:
                raise TenkenError(
                    f"check '{check.name}' is there twice: {checks[check.name].folder} and {check.folder}"
                )
            checks[check.name] = check
    return without_conflicts(checks)


def read_check(folder: Path) -> Check:
    """The check in `folder`, named after it."""
    root = read_toml(folder / "check.toml")
    if not _NAME.fullmatch(folder.name):
        raise TenkenError(f"{folder}: a check's folder is named in small letters, digits and _, found '{folder.name}'")
    variants = root.words("variants")
    if not variants:
        root.fail("variants", "name at least one; the first is the default")
    parameters = {name: read_parameter(name, table) for name, table in _named(root, "parameter", _NAME)}
    sections = {name: _read_section(name, table, parameters) for name, table in _named(root, "section", _PATH)}
    metrics = {name: _read_metric(name, table, sections) for name, table in _named(root, "metric", _NAME)}
    if len(named := [name for name, metric in metrics.items() if metric.headline]) > 1:
        root.fail("metric", f"{' and '.join(named)} have a headline; a check has one: remove the others")
    cases = {name: _read_case(name, table, variants, parameters) for name, table in _named(root, "case", _NAME)}
    studies = {
        name: _read_named_study(name, table, variants, parameters, metrics, cases)
        for name, table in _named(root, "study", _NAME)
    }
    check = Check(
        name=folder.name,
        title=root.text("title"),
        question=root.text("question"),
        repetition=root.text("repetition"),
        variants=variants,
        faults=root.words("faults", ()),
        requires=_read_requires(root),
        parameters=tuple(parameters.values()),
        sections=tuple(sections.values()),
        metrics=tuple(metrics.values()),
        validity=tuple(_read_validity(name, table, parameters) for name, table in _named(root, "validity", _PATH)),
        cases=tuple(cases.values()),
        folder=str(folder),
        studies=tuple(studies.values()),
        tests_s=root.number("tests_s", 0.0) if "tests_s" in root else None,
        thread_level=root.word("thread_level", THREAD_LEVELS) if "thread_level" in root else "",
        counters=root.flag("counters", False),
        repetitions_alike=root.flag("repetitions_alike", True),
        variant_needs=tuple(_read_variant(name, table, variants) for name, table in _named(root, "variant", _NAME)),
        formerly=read_check_formerly(root, (*cases, *studies)),
        published=_read_published(root, metrics),
    )
    root.done()
    return check


def _read_published(root: Table, metrics: dict[str, MetricSpec]) -> tuple[Counterpart, ...]:
    """`[published]`: METRIC = [{application, section, at, note}, ...], rows of machine files of whatever system."""
    part, rows = root.table("published") or Table(root.file, "published", {}), []
    for metric, written in part.content().items():
        if metric not in metrics:
            part.fail(metric, f"is no metric; {nearest(metric, metrics)}")
        if not isinstance(written, list) or not all(isinstance(counterpart, dict) for counterpart in written):
            part.fail(metric, f"expected a list of {{application, section}}, found {written!r}")
        for counterpart in written:
            row = Table(root.file, f"published.{metric}", counterpart)
            if "at" in row and metrics[metric].by is None:
                row.fail("at", f"metric {metric} is not repeated over a parameter; leave it out")
            rows.append(Counterpart(metric, row.text("application"), row.text("section"), row.optional_count("at", 0),
                                    row.optional_text("note") or ""))
            row.done()
    return tuple(rows)


def _read_requires(table: Table) -> tuple[str, ...]:
    words = table.words("requires", ())
    for word in words:
        if not _NAME.fullmatch(word):
            table.fail("requires", f"'{word}' should be small letters, digits and _")
    return words


def _read_variant(name: str, table: Table, variants: tuple[str, ...]) -> VariantSpec:
    if name not in variants:
        table.fail("name", f"variant '{name}' is unknown; {nearest(name, variants)}")
    variant = VariantSpec(name, _read_requires(table), table.words("sources", ()))
    table.done()
    return variant


def _named(root: Table, key: str, pattern: re.Pattern[str]) -> list[tuple[str, Table]]:
    tables = root.tables(key)
    for name, table in tables.items():
        if not pattern.fullmatch(name):
            table.fail("name", f"'{name}' should be small letters, digits and _")
    return list(tables.items())


def _read_named_study(
    name: str, table: Table, variants: tuple[str, ...], parameters: dict[str, Parameter],
    metrics: dict[str, MetricSpec], cases: dict[str, CaseSpec],
) -> Study:
    if name in cases:
        table.fail("name", f"'{name}' is a case too; a name is unique across cases and studies: rename one")
    return read_study(name, table, variants, parameters, metrics)


def _read_section(path: str, table: Table, parameters: dict[str, Parameter]) -> SectionSpec:
    by = table.optional_text("by")
    if by is not None and by not in parameters:
        table.fail("by", f"parameter '{by}' is unknown; {nearest(by, parameters)}")
    if by is not None and parameters[by].type != "ints":
        table.fail(
            "by", f"parameter '{by}' is of type {parameters[by].type}; a section is repeated over one of type ints"
        )
    section = SectionSpec(path, table.word("kind", KINDS), table.text("meaning"), by)
    table.done()
    return section


def _read_metric(name: str, table: Table, sections: dict[str, SectionSpec]) -> MetricSpec:
    quantity = table.text("quantity")
    if quantity not in QUANTITIES and not re.fullmatch(r"value:\S+", quantity):
        table.fail("quantity", f"'{quantity}' is unknown; {nearest(quantity, [*QUANTITIES, 'value:NAME'])}")
    section = table.optional_text("section")
    by = table.optional_text("by")
    if section is None and not quantity.startswith("value:"):
        table.fail("section", f"is missing: {quantity} is of one section")
    if section is not None:
        _check_metric_section(section, by, table, sections)
    precision = table.word("precision", PRECISIONS, "double")
    metric = MetricSpec(
        name=name,
        section=section,
        quantity=quantity,
        unit=_read_unit(table, quantity),
        better=table.word("better", ("higher", "lower")),
        klass=table.word("class", METRIC_CLASSES),
        ceiling=table.word("ceiling", (*CEILINGS, "none")),
        by=by,
        precision=precision,
        provides=_read_provides(table, quantity, precision),
        headline=_read_headline(table, by),
    )
    bounded = CEILINGS.get(metric.ceiling, quantity)
    if bounded != quantity:
        table.fail("ceiling", f"'{metric.ceiling}' bounds a {bounded}, not {quantity}")
    table.done()
    return metric


def _read_headline(table: Table, by: str | None) -> str:
    words = table.optional_text("headline") or ""
    if "{at}" in words and by is None:
        table.fail("headline", "{at} is the value that the section is repeated over; here it is not repeated")
    if set("{}") & set(words.replace("{at}", "")):
        table.fail("headline", f"'{words}' has braces; the only name in braces is {{at}}")
    return words


def _read_provides(table: Table, quantity: str, precision: str) -> Provides | None:
    """The metric's offer to others; a rate of memory is a curve, so it states its size."""
    own = table.table("provides")
    if own is None:
        return None
    ceiling = own.word("what", tuple(CEILINGS))
    provides = Provides(ceiling, own.word("precision", PRECISIONS, precision), own.optional_text("by"))
    bounded = CEILINGS[provides.what]
    if not quantity.startswith("value:") and quantity != bounded:
        table.fail("provides", f"'{provides.what}' is a {bounded}, not {quantity}")
    if provides.what == "memory" and provides.by is None:
        table.fail("provides", 'memory is faster in cache: name the recorded value that is the size, by = "working_set_bytes"')
    own.done()
    return provides


def _check_metric_section(section: str, by: str | None, table: Table, sections: dict[str, SectionSpec]) -> None:
    if section not in sections:
        table.fail("section", f"'{section}' is unknown; {nearest(section, sections)}")
    if sections[section].by != by:
        expected = f"by = \"{sections[section].by}\"" if sections[section].by else "no 'by'"
        table.fail("by", f"section '{section}' wants {expected}, found {by!r}")


def _read_unit(table: Table, quantity: str) -> str:
    unit = table.text("unit")
    if unit not in units.UNITS:
        table.fail("unit", f"'{unit}' is unknown; {nearest(unit, units.UNITS)}")
    expected = "time" if quantity.startswith("time") else quantity
    if quantity in QUANTITIES and units.dimension(unit) != expected:
        table.fail("unit", f"'{unit}' is no unit of {quantity}")
    return unit


def _read_validity(name: str, table: Table, parameters: dict[str, Parameter]) -> ValiditySpec:
    tolerance = _number_or_expression(table, "tolerance", parameters)
    when = _number_or_expression(table, "when", parameters) if "when" in table else 1.0
    validity = ValiditySpec(name, tolerance, table.text("source"), when)
    table.done()
    return validity


def _number_or_expression(table: Table, key: str, parameters: dict[str, Parameter]) -> float | str:
    """A number of at least 0, or an expression whose dotted names are entries, choices or paths of parameters."""
    text = table.raw(key)
    if not isinstance(text, str):
        return table.number(key, 0.0)

    def value_of(name: str) -> float:
        parameter, _, part = name.partition(".")
        if part and not _has_part(parameters.get(parameter), part):
            table.fail(key, f"'{name}' is no entry, choice or path of a parameter")
        return 1.0

    try:
        toml.value(text, value_of)
    except toml.NotUnderstood:
        table.fail(key, f"'{text}' is not understood; expected a number or an expression of parameters and named values")
    return text


def _has_part(parameter: Parameter | None, part: str) -> bool:
    if parameter is None:
        return False
    if parameter.type == "choice":
        return part in parameter.choices
    return part == "given" if parameter.type == "path" else parameter.type == "ints" and part.isdigit()


def _read_case(name: str, table: Table, variants: tuple[str, ...], parameters: dict[str, Parameter]) -> CaseSpec:
    case = read_case(name, table, variants, parameters)
    case = replace(case, suites=table.words("suites", ()), formerly=read_formerly(table))
    table.done()
    return case
