// The link by which a card is attached to its host, as the kernel reports it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/tree.hpp"

namespace tenken::gpu {

struct Link {
  std::optional<double> lanes, most_lanes;  // now, and what card and slot can do together
  std::optional<double> speed, most_speed;  // GT/s a lane
};

// The folder of the card at this bus address ("0000:3B:00.0") in /sys, with "/" at its end.
std::string card_folder(std::string_view bus);

// What is not reported is empty. A link without traffic may run slower to save power, with the same lanes.
Link link_of(const Tree& tree, std::string_view bus);

}  // namespace tenken::gpu
