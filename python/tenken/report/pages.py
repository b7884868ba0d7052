"""The parts of every page (Jinja2 with its templates, the style), and pages of a contract, a release decision, systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tenken.base import units
from tenken.base.errors import TenkenError
from tenken.model.comparison import Comparison, Decision
from tenken.model.contract import Contract, Held
from tenken.model.machine import Systems
from tenken.report import compared, topics as sheet
from tenken.report.plain import plain

_TEMPLATES = Path(__file__).parent / "templates"


def missing_module(missing: ImportError) -> TenkenError:
    return TenkenError(f"the page needs Matplotlib and Jinja2, and {missing.name} is missing (Debian: apt install "
                       "python3-matplotlib python3-jinja2); everything else is in results.json")


def environment() -> Any:
    """Jinja2 with the templates: text that is not our markup is escaped and made harmless. ImportError without Jinja2."""
    import jinja2
    from markupsafe import Markup

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else _finalize(value),
    )
    made.filters.update(typeset=units.typeset)
    return made


def style() -> str:
    """The style sheet, which stands inside each page."""
    return (_TEMPLATES / "report.css").read_text(encoding="utf-8")


def _finalize(value: object) -> str:
    return "" if value is None else units.micro(plain(value))


# The tones of report.css are named after verdicts.
TONES = {Held.MET: "OK", Held.WAIVED: "WARN", Held.UNMET: "FAIL", Held.NOT_JUDGED: "NOT"}
_TONES_OF_DECISIONS = {Decision.RELEASE: "OK", Decision.RESTRICT: "WARN", Decision.HOLD: "FAIL", Decision.UNDECIDED: "NOT"}
# What the table of clauses needs, wherever it stands.
PARTS: dict[str, Any] = {"sheet": sheet, "held_tones": {held.value: tone for held, tone in TONES.items()}}


def contract_page(contract: Contract) -> str:
    """The whole page. Raises TenkenError where Jinja2 is missing."""
    try:
        made = environment()
        from markupsafe import Markup
    except ImportError as missing:
        raise missing_module(missing) from missing
    made.globals.update(units=units, **PARTS)
    return made.get_template("contract.html.j2").render(
        contract=contract, css=Markup(style()))


def comparison_page(comparison: Comparison) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        from markupsafe import Markup

        from tenken.report.draw.systems import forest
    except ImportError as missing:
        raise missing_module(missing) from missing
    made = environment()
    made.globals.update(units=units, svg=Markup, tones={decision.value: tone for decision, tone in _TONES_OF_DECISIONS.items()})
    return made.get_template("compare.html.j2").render(
        c=comparison, title=compared.title(comparison), css=Markup(style()),
        forest=forest(comparison), headings=compared.QUANTITIES,
        rows=[compared.quantity_row(case.id, paired) for case in comparison.cases for paired in case.quantities],
    )


def systems_page(systems: Systems) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        made = environment()
        from markupsafe import Markup

        from tenken.report.draw.systems import percents
    except ImportError as missing:
        raise missing_module(missing) from missing
    made.globals.update(units=units, svg=Markup)
    return made.get_template("systems.html.j2").render(
        s=systems, drawing=percents(systems), css=Markup(style()))
