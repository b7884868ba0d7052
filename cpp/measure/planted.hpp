// Faults that every check can be asked for (`--fault`), planted outside of its sections.
#pragma once

namespace tenken {

class Check;

// On the last rank, before repetition `repetition` of `planned`: `delay` holds it up by a millisecond each time;
// `crash` and `hang` end it in the middle.
void plant_fault(const Check& check, int repetition, int planned);

}  // namespace tenken
