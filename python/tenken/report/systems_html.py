"""The page of systems and runs side by side."""

from __future__ import annotations


from tenken.base import units
from tenken.model.systems import Systems
from tenken.report import pages



def page(systems: Systems) -> str:
    """The whole page. Raises TenkenError where Matplotlib or Jinja2 is missing."""
    try:
        environment = pages.environment()
        from markupsafe import Markup

        from tenken.report.draw.systems import percents
    except ImportError as missing:
        raise pages.missing_module(missing) from missing
    environment.globals.update(units=units, svg=Markup)
    return environment.get_template("systems.html.j2").render(
        s=systems, drawing=percents(systems), css=Markup(pages.style()))
