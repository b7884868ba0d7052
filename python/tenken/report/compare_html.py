"""The page of a release decision."""

from __future__ import annotations


from tenken.base import units
from tenken.model.comparison import Comparison, Decision
from tenken.report import compared, pages

# The tones of report.css are named after verdicts.
_TONES = {Decision.RELEASE: "OK", Decision.RESTRICT: "WARN", Decision.HOLD: "FAIL", Decision.UNDECIDED: "NOT"}


def page(comparison: Comparison) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        from markupsafe import Markup

        from tenken.report.draw.forest import forest
    except ImportError as missing:
        raise pages.missing_module(missing) from missing
    environment = pages.environment()
    environment.globals.update(units=units, svg=Markup, tones={decision.value: tone for decision, tone in _TONES.items()})
    return environment.get_template("compare.html.j2").render(
        c=comparison, title=compared.title(comparison), css=Markup(pages.style()),
        forest=forest(comparison), headings=compared.QUANTITIES,
        rows=[compared.quantity_row(case.id, paired) for case in comparison.cases for paired in case.quantities],
    )
