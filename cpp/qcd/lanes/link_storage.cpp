#include "qcd/lanes/link_storage.hpp"

#include <array>

namespace tenken::qcd {

namespace {

constexpr double mib = 1 << 20;
// A core with a larger second level has a last level that is far.
constexpr double largest_beside_near = 1 * mib;
// Of a cache that the working set may fill: the rest holds halos, code and what others left, and pages do not lie
// evenly.
constexpr double fill = 0.8;
constexpr double link_directions = 4, spinor_reals = 24;

bool allowed(const LinkWish& wish, const LinkStorage& one) {
  if (wish.links != "auto" && (wish.links == "12") != (one.reals == 12)) return false;
  if (wish.storage != "auto") return (wish.storage == "once") == (one.copies == 1);
  return wish.together == 1 || one.copies == 2;
}

double bytes_a_site(const LinkWish& wish, const LinkStorage& one) {
  return (one.copies * link_directions * one.reals + 2 * spinor_reals * wish.together) * wish.real_bytes;
}

}  // namespace

LinkStorage link_storage_by_rule(const LinkWish& wish, const LinkCaches& caches) {
  constexpr std::array<LinkStorage, 4> preferred = {{{18, 2}, {18, 1}, {12, 2}, {12, 1}}};
  const double last = fill * caches.last_a_site;
  const bool far = caches.second_cache > largest_beside_near;
  LinkStorage least;
  for (const LinkStorage& one : preferred) {
    if (!allowed(wish, one)) continue;
    if (bytes_a_site(wish, one) <= (far ? fill * caches.second_a_site : last)) return one;
    least = one;
  }
  const LinkStorage stream{least.reals, 2};
  return allowed(wish, stream) && bytes_a_site(wish, stream) <= last ? stream : least;
}

}  // namespace tenken::qcd
