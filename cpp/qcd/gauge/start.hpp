// Links and spinors as pure functions of a seed and the place on the lattice: the same for any number of ranks.
#pragma once

#include <cstdint>
#include <string_view>

#include "qcd/gauge/su3.hpp"
#include "qcd/kernel.hpp"

namespace tenken::qcd {

// What a random field is for; each has numbers of its own.
enum class Purpose : std::uint64_t { links = 1, source, rotation, left, right, samples, heat_bath };

enum class Start { hot, cold, warm, heatbath };
Start start_from(std::string_view name);  // one of these words; anything else was refused before

// The gauge field that a launch uses.
struct Configuration {
  Start start;
  double epsilon;  // width of a warm start
  std::uint64_t seed;

  // Of a heat bath: where it begins.
  Link link(std::int64_t site, int mu) const;
};

// Components normal with mean 0 and variance 1 in real and imaginary part.
Spinor random_spinor(std::uint64_t seed, Purpose purpose, std::int64_t site);

// A colour rotation g(x), uniform in SU(3).
Link rotation(std::uint64_t seed, std::int64_t site);

Links make_links(const Geometry& geometry, const Configuration& configuration);

// Memory of a field, first touched by the threads that will work on it.
Field make_field(const Geometry& geometry);

void fill_random(const Geometry& geometry, std::uint64_t seed, Purpose purpose, Field& field);

struct PointSource {
  Index4 site{};  // of the lattice
  int spin = 0;
  int colour = 0;
};

// 1 in one component of one site, else 0.
void fill_point(const Geometry& geometry, const PointSource& point, Field& field);

// 1 in every component of every site.
void fill_constant(const Geometry& geometry, Field& field);

}  // namespace tenken::qcd
