"""The page of systems and runs side by side."""

from __future__ import annotations

from pathlib import Path

from tenken.base import units
from tenken.model.systems import Systems
from tenken.report import html

_TEMPLATES = Path(__file__).parent / "templates"


def page(systems: Systems) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        environment = html.environment_of_pages()
        from markupsafe import Markup

        from tenken.report.draw.systems import percents
    except ImportError as missing:
        raise html.missing_module(missing) from missing
    environment.globals.update(units=units, svg=Markup)
    return environment.get_template("systems.html.j2").render(
        s=systems, drawing=percents(systems), css=Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8")))
