// A launch of this check on a card.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace fma_peak {

// Times both precisions on the card of this rank by this form of the kernels, and proves the chains. Collective. Throws
// UserError where the card does not permit it.
void launch_on_card(tenken::Check& check, const device::Form& form);

// Loops that fill `microseconds` on this card: enough at least that every chain ends at its fixed point.
std::int64_t loops_on_card(device::Device& card, Precision precision, double microseconds);

}  // namespace fma_peak
