#include "content.hpp"

namespace halo_paths {

namespace {

constexpr std::int64_t most_late = 64;

template <class Use>
void for_each(const Plane& plane, std::int64_t first_block, std::int64_t end_block, Use use) {
  for (std::int64_t i = first_block; i < end_block; ++i) {
    for (std::int64_t j = 0; j < plane.block; ++j) use(plane.first + i * plane.stride + j, i * plane.block + j);
  }
}

}  // namespace

void write(double* cube, const Plane& plane, const Origin& of) {
  if (plane.blocks == 1) {  // one block is cut, too
#pragma omp parallel for schedule(static)
    for (std::int64_t j = 0; j < plane.block; ++j) cube[plane.first + j] = value(of, j);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < plane.blocks; ++i) {
    for_each(plane, i, i + 1, [&](std::int64_t at, std::int64_t place) { cube[at] = value(of, place); });
  }
}

Wrong compare(const double* cube, const Plane& plane, const Origin& of) {
  Wrong wrong;
  for_each(plane, 0, plane.blocks, [&](std::int64_t at, std::int64_t place) {
    if (cube[at] == value(of, place) || wrong.values++ > 0) return;
    wrong.first = place;
    Origin earlier = of;
    for (std::int64_t late = 1; late <= most_late && earlier.sample > 0; ++late) {
      --earlier.sample;
      if (cube[at] != value(earlier, place)) continue;
      wrong.late = late;
      return;
    }
  });
  return wrong;
}

}  // namespace halo_paths
