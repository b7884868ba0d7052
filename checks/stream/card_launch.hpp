// A launch of this check on a card.
#pragma once

#include "device/device.hpp"
#include "measure/check.hpp"

namespace stream {

// Times all sweeps on the card of this rank by this form of the kernels, and proves the arrays. Collective. Throws
// UserError where the parameters or the card do not permit it.
void launch_on_card(tenken::Check& check, const device::Form& form);

// The error of the arrays and of the sum after `sweeps` sweeps over n elements on the card. Each array is copied to the
// host, the copy by the driver too.
struct CardProof {
  double error = 0;
  double rounding = 0;
  double read_error = 0;
  double read_rounding = 0;
};
CardProof proof_of(const device::Device& card, std::int64_t n, int sweeps);

// Element i of a becomes start(i); b and c become 0.
void fill(device::Device& card, std::int64_t n);

}  // namespace stream
