#include "content.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace halo_paths;

namespace {

constexpr std::int64_t n = 6;
constexpr Origin origin{100, 3, Face::yz, Side::upper};

TEST_CASE("values are finite and differ by sample, rank, face, side and place") {
  std::set<double> seen;
  int all = 0;
  for (std::int64_t sample = 1; sample < 4; ++sample) {
    for (int rank = 0; rank < 3; ++rank) {
      for (const Face face : {Face::xy, Face::xz, Face::yz}) {
        for (const Side side : {Side::lower, Side::upper}) {
          for (std::int64_t place = 0; place < 20; ++place, ++all) {
            const double one = value({sample, rank, face, side}, place);
            CHECK((one >= 1 && one < 2));
            seen.insert(one);
          }
        }
      }
    }
  }
  CHECK(static_cast<int>(seen.size()) == all);
}

TEST_CASE("a plane that was written compares, and a wrong value has its place") {
  for (const Face face : {Face::xy, Face::xz, Face::yz}) {
    std::vector<double> cube(n * n * n);
    const Plane plane = source(face, Side::lower, n);
    write(cube.data(), plane, origin);
    CHECK(compare(cube.data(), plane, origin).values == 0);
    const auto last = static_cast<std::size_t>(plane.first + (plane.blocks - 1) * plane.stride + plane.block - 1);
    cube[last] = 0;
    const Wrong wrong = compare(cube.data(), plane, origin);
    CHECK(wrong.values == 1);
    CHECK(wrong.first == n * n - 1);
    CHECK(wrong.late == 0);
  }
}

TEST_CASE("a plane of an earlier sample is late, one of another rank or side is not") {
  std::vector<double> cube(n * n * n);
  const Plane plane = source(Face::xz, Side::lower, n);
  Origin written = origin;
  written.sample -= 5;
  write(cube.data(), plane, written);
  CHECK(compare(cube.data(), plane, origin).late == 5);
  CHECK(compare(cube.data(), plane, origin).values == n * n);
  written = origin;
  written.side = Side::lower;
  write(cube.data(), plane, written);
  CHECK(compare(cube.data(), plane, origin).values == n * n);
  CHECK(compare(cube.data(), plane, origin).late == 0);
}

}  // namespace
