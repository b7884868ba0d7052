// A launch of this check whose updates work on a card.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace hpl {

// As Systems::run, on the card of this rank. Collective. Throws UserError where the parameters, the library or the card
// do not permit it.
void launch_on_card(tenken::Check& check, const device::Form& form);

}  // namespace hpl
