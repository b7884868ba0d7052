// A launch of this check on a card.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace dgemm {

// C tends to alpha A B / (1 - beta): it stays bounded over any number of repetitions.
inline constexpr double alpha = 0.75;
inline constexpr double beta = 0.5;

// Times and proves products on the card of this rank. Collective. Throws UserError where the parameters, the library or
// the card do not permit it.
void launch_on_card(tenken::Check& check, const device::Form& form);

}  // namespace dgemm
