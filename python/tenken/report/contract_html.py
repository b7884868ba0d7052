"""The acceptance sheet of a contract as a page that prints on paper."""

from __future__ import annotations

from typing import Any

from tenken.model.contract import Contract, Held
from tenken.report import contract_text as sheet
from tenken.report import pages

# The tones of report.css are named after verdicts.
TONES = {Held.MET: "OK", Held.WAIVED: "WARN", Held.UNMET: "FAIL", Held.NOT_JUDGED: "NOT"}
# What the table of clauses needs, wherever it stands.
PARTS: dict[str, Any] = {"sheet": sheet, "held_tones": {held.value: tone for held, tone in TONES.items()}}


def page(contract: Contract) -> str:
    """The whole page. Raises TenkenError where Jinja2 is missing."""
    try:
        environment = pages.environment()
        from markupsafe import Markup
    except ImportError as missing:
        raise pages.missing_module(missing) from missing
    from tenken.base import units

    environment.globals.update(units=units, **PARTS)
    return environment.get_template("contract.html.j2").render(
        contract=contract, css=Markup(pages.style()))
