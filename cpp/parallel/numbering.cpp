#include "parallel/numbering.hpp"

#include <algorithm>

namespace tenken {

template <std::size_t n>
Numbering<n>::Numbering(const Partition<n>& block, Reach reach)
    : block_(block),
      lists_(halo_lists(block_, 1, reach)),
      items_(static_cast<std::size_t>(lists_.items), Pages::any, "numbers of cells") {
  std::fill(items_.begin(), items_.end(), -1);
  std::int32_t next = 0;
  for (; next < block_.volume(); ++next) {
    items_[static_cast<std::size_t>(padded_item(block_, 1, coordinates(next, block_.extents())))] = next;
  }
  for (Neighbour& one : lists_.neighbours) {
    for (std::int32_t& item : one.receive) item = items_[static_cast<std::size_t>(item)] = next++;
    for (std::int32_t& item : one.send) item = items_[static_cast<std::size_t>(item)];
  }
  lists_.items = next;
}

template <std::size_t n>
double Numbering<n>::bytes(const Index<n>& extents, double bytes_a_cell) {
  double padded = 1, own = 1;
  for (const int each : extents) {
    padded *= each + 2;
    own *= each;
  }
  // A number each; of the halo two entries of lists, the field and a message.
  return 4 * padded + (padded - own) * (2 * 4 + 2 * bytes_a_cell);
}

template class Numbering<3>;

}  // namespace tenken
