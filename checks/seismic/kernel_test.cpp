#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "block.hpp"
#include "layers.hpp"
#include "ref.hpp"

using namespace tenken;
using namespace tenken::seismic;

namespace {

Problem small(const Index<3>& cells) {
  Problem p;
  p.cells = cells;
  p.contrast = 0.3;
  p.layer = 5;
  p.pulse.duration = 0.3;
  p.dt = 0.8 * longest_step(p);
  const Index<3> middle{cells[0] / 2, cells[1] / 2 + 1, cells[2] / 2 - 1};
  p.sources = moment(p, {1, 2, 3, 0.5, -0.7, 0.4}, middle);
  for (const Injection& one : force(p, 1, {middle[0] - 1, middle[1], 1}, 0.3)) p.sources.push_back(one);
  return p;
}

Plain<std::vector<double>> plain_of(const Problem& p) {
  return Plain<std::vector<double>>(
      p, [&](std::size_t d, double at) { return std::array<double, 3>(damping_at(p, d, at)); },
      [&](std::size_t d, int at) { return sponge_at(p, d, at); });
}

template <class From, class Real>
void step(Block<Real>& block, std::int64_t n) {
  const Layout& l = block.layout();
  for (int j = 0; j < l.ny; ++j) {
    if (std::is_same_v<From, Stored>) block.slopes_of_stress({j, 0, l.nx});
  }
  for (int j = 0; j < l.ny; ++j) block.template velocity<From>(n, {j, 0, l.nx}, Part::whole);
  for (int j = 0; j < l.ny; ++j) {
    if (std::is_same_v<From, Stored>) block.slopes_of_velocity({j, 0, l.nx});
  }
  for (int j = 0; j < l.ny; ++j) block.template stress<From>(n, {j, 0, l.nx}, Part::whole);
}

// Greatest difference over greatest value, of the worst field.
template <class Real>
double distance(const Block<Real>& block, Plain<std::vector<double>>& plain) {
  const Problem& p = block.problem();
  double worst = 0;
  for (int c = 0; c < components; ++c) {
    double most = 0, off = 0;
    for (int k = 0; k < p.cells[2]; ++k) {
      for (int j = 0; j < p.cells[1]; ++j) {
        for (int i = 0; i < p.cells[0]; ++i) {
          const double expected = plain.field(c)[plain.number({i, j, k})];
          const double found = block.field(static_cast<Component>(c))[block.layout().at(i, j) + k];
          most = std::max(most, std::abs(expected));
          off = std::max(off, std::isnan(found) ? 1e9 : std::abs(found - expected));
        }
      }
    }
    if (most == 0) return 1e9;
    worst = std::max(worst, off / most);
  }
  return worst;
}

template <class From, class Real>
double after(const Problem& p, int steps, const Faults& faults = {}, bool past_caches = false) {
  Block<Real> block(p, {0, 0, 0}, p.cells, std::is_same_v<From, Stored>, 1, faults);
  block.store_slopes_past_caches(past_caches);
  auto plain = plain_of(p);
  for (int n = 0; n < steps; ++n) {
    step<From>(block, n);
    plain.step(n);
  }
  return distance(block, plain);
}

}  // namespace

TEST_CASE("the kernel is the plain twin, with surface and layers, elastic or not") {
  for (const bool surface : {true, false}) {
    for (const Absorb absorb : {Absorb::pml, Absorb::sponge, Absorb::none}) {
      for (const double quality : {0.0, 30.0}) {
        Problem p = small({14, 13, surface ? 24 : 35});
        p.surface = surface;
        p.absorb = absorb;
        p.quality = {quality, quality / 2};
        p.dt = 0.8 * longest_step(p);
        CAPTURE(surface);
        CAPTURE(static_cast<int>(absorb));
        CAPTURE(quality);
        CHECK(after<Made, double>(p, 12) < 1e-12);
        CHECK(after<Stored, double>(p, 12) < 1e-12);
        CHECK(after<Stored, double>(p, 12, {}, true) < 1e-12);
        CHECK(after<Made, float>(p, 12) < 1e-5);
        CHECK(after<Stored, float>(p, 12) < 1e-5);
        CHECK(after<Stored, float>(p, 12, {}, true) < 1e-5);
      }
    }
  }
}

TEST_CASE("planted mistakes are far from the twin") {
  const Problem p = small({14, 14, 24});
  CHECK(after<Made, float>(p, 12, {.wrong_coefficient = true}) > 1e-2);
  CHECK(after<Made, float>(p, 12, {.swapped_shear = true}) > 1e-2);
  Problem everywhere = p;
  everywhere.everywhere = true;
  Block<float> block(everywhere, {0, 0, 0}, p.cells, false, 1);
  auto plain = plain_of(p);
  for (int n = 0; n < 12; ++n) {
    step<Made>(block, n);
    plain.step(n);
  }
  CHECK(distance(block, plain) > 1e-2);
}
