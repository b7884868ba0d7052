"""The parts of every page: Jinja2 with its templates, the style, and the sentence where a library is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tenken.base import units
from tenken.model.errors import TenkenError
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
