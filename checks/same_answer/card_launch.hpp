// A launch of this check on a card.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace same_answer {

// Lets every multiprocessor of the cards of all ranks compute, and votes. Collective. Throws UserError where the
// parameters or the card do not permit it.
void launch_on_card(tenken::Check& check, const device::Form& form);

}  // namespace same_answer
