"""Numbers in sentences: three significant digits and a unit, as base/units.py writes them."""

from tenken.base.units import brief as digits
from tenken.base.units import brief_percent as percent
from tenken.base.units import brief_percents as percents
from tenken.base.units import brief_rate as si
from tenken.base.units import brief_size as size
from tenken.base.units import brief_time as duration
from tenken.base.units import detectable, hidden
from tenken.base.words import plural

__all__ = ["detectable", "digits", "duration", "hidden", "percent", "percents", "plural", "si", "size"]
