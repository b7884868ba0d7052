// How an even-odd solver keeps its links: real numbers of each (18, or two rows in 12), and copies of each.
#pragma once

#include <string_view>

namespace tenken::qcd {

struct LinkStorage {
  int reals = 18;
  int copies = 2;
  friend bool operator==(const LinkStorage&, const LinkStorage&) = default;
};

struct LinkWish {
  std::string_view links = "auto";    // "18", "12" or "auto"
  std::string_view storage = "auto";  // "once", "twice" or "auto"
  int together = 1;                   // right-hand sides
  int real_bytes = 8;                 // of a number of the iterations
};

struct LinkCaches {
  double second_a_site = 0;  // bytes that a rank may count on, for each of its sites
  double last_a_site = 0;
  double second_cache = 0;  // bytes of one second-level cache
};

// Where the wish leaves a choice it follows from the bytes a site that a hop to each parity touches, copies x 4 x reals
// of links and an input and an output of 24 numbers for each right-hand side.
//
// 18 numbers spare arithmetic where a cache gives them as fast as the hop works. That is the second level, and
// the last one where it is near. Cores whose second level is larger than 1 MiB have it because their last level is far.
// Taken is the first of 18 twice, 18 once, 12 twice, 12 once that fits such a level; then 12 twice, which is one
// stream, if it fits the last level; else 12 once, of which most stays in it. Several right-hand sides have links
// twice.
LinkStorage link_storage_by_rule(const LinkWish& wish, const LinkCaches& caches);

}  // namespace tenken::qcd
