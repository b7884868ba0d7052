#include "plane.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <vector>

using namespace halo_paths;

namespace {

constexpr Face faces[] = {Face::xy, Face::xz, Face::yz};
constexpr Side sides[] = {Side::lower, Side::upper};

// The places of a plane by its definition: all cells whose coordinate across the face is `index`.
std::vector<std::int64_t> by_definition(Face face, std::int64_t index, std::int64_t n) {
  std::vector<std::int64_t> places;
  for (std::int64_t z = 0; z < n; ++z) {
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const std::int64_t across = face == Face::xy ? z : face == Face::xz ? y : x;
        if (across == index) places.push_back((z * n + y) * n + x);
      }
    }
  }
  return places;
}

std::vector<std::int64_t> places_of(const Plane& plane) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < plane.blocks; ++i) {
    for (std::int64_t j = 0; j < plane.block; ++j) places.push_back(plane.first + i * plane.stride + j);
  }
  return places;
}

TEST_CASE("sources lie next to the halos, which are the outermost planes") {
  for (const std::int64_t n : {4, 5, 8}) {
    for (const Face face : faces) {
      CHECK(places_of(halo(face, Side::lower, n)) == by_definition(face, 0, n));
      CHECK(places_of(source(face, Side::lower, n)) == by_definition(face, 1, n));
      CHECK(places_of(source(face, Side::upper, n)) == by_definition(face, n - 2, n));
      CHECK(places_of(halo(face, Side::upper, n)) == by_definition(face, n - 1, n));
    }
  }
}

TEST_CASE("without the ends plane xz has no value in common with plane xy") {
  constexpr std::int64_t n = 6;
  std::set<std::int64_t> used;
  for (const Side side : sides) {
    for (const Plane& plane : {source(Face::xy, side, n), halo(Face::xy, side, n), source(Face::xz, side, n, apart),
                               halo(Face::xz, side, n, apart)}) {
      for (const std::int64_t place : places_of(plane)) CHECK(used.insert(place).second);
    }
  }
  CHECK(source(Face::xz, Side::lower, n, apart).values() == (n - 2 * apart) * n);
}

TEST_CASE("blocks are as long as the face permits") {
  CHECK(source(Face::xy, Side::lower, 8).block == 64);
  CHECK(source(Face::xz, Side::lower, 8).block == 8);
  CHECK(source(Face::yz, Side::lower, 8).block == 1);
  for (const Face face : faces) CHECK(source(face, Side::upper, 8).values() == 64);
}

TEST_CASE("copies move the values of a plane in order, and nothing else") {
  constexpr std::int64_t n = 5;
  std::vector<double> cube(n * n * n), packed(n * n), other(n * n * n, -1);
  std::iota(cube.begin(), cube.end(), 0.0);
  for (const Face face : faces) {
    for (const Side side : sides) {
      const Plane from = source(face, side, n), to = halo(face, side, n);
      pack(cube.data(), from, packed.data());
      const std::vector<std::int64_t> places = places_of(from), targets = places_of(to);
      for (std::size_t i = 0; i < places.size(); ++i) CHECK(packed[i] == static_cast<double>(places[i]));
      std::vector<double> first = other, second = other;
      unpack(packed.data(), first.data(), to);
      copy(cube.data(), from, second.data(), to);
      CHECK(first == second);
      for (std::size_t i = 0; i < targets.size(); ++i)
        CHECK(first[static_cast<std::size_t>(targets[i])] == static_cast<double>(places[i]));
      const std::set<std::int64_t> written(targets.begin(), targets.end());
      for (std::size_t i = 0; i < first.size(); ++i)
        CHECK((first[i] == -1) == !written.contains(static_cast<std::int64_t>(i)));
    }
  }
}

}  // namespace
