// Limited fluxes: the sum of an edge and its other side, constants, new extremes, and a plain twin.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alone.hpp"
#include "base/random.hpp"
#include "testing/world.hpp"
#include "tracer.hpp"

using namespace atmosphere;

namespace {

// Through each edge, of a field of one layer.
std::vector<double> fluxes(const Edges& edges, const Vectors& v) {
  std::vector<double> flux;
  for (std::int64_t i = 0; i < edges.count(); ++i) {
    const Edges::Edge& e = edges.edge(i);
    const auto at = [&](std::int32_t item) { return v.at(static_cast<std::size_t>(item)); };
    flux.push_back(dot(e.outward, at(e.from) * e.of_from + at(e.to) * e.of_to + at(e.before) * e.of_before +
                                      at(e.after) * e.of_after));
  }
  return flux;
}

TEST_CASE("the fluxes of a cell add up to the divergence, and what leaves a cell enters its neighbour") {
  if (tenken::testing::world_ranks() > 1) return;
  const Alone on(3, true);
  const Edges edges(on.grid, on.patch, earth_radius);
  Vectors v(on.patch.own);
  std::vector<double> divergence(on.size());
  for (std::size_t i = 0; i < on.size(); ++i) {
    v.set(i, Vec{std::sin(3 * on.at(i).y), on.at(i).z * on.at(i).x, std::cos(2 * on.at(i).x)});
  }
  on.operators.divergence(v, divergence);
  const std::vector<double> flux = fluxes(edges, v);
  std::vector<double> leaves(flux.size());
  for (std::size_t i = 0; i < on.size(); ++i) {
    const Edges::OfCell& of = edges.of(static_cast<std::int64_t>(i));
    double sum = 0;
    for (std::size_t slot = 0; slot < of.edge.size(); ++slot) {
      const auto edge = static_cast<std::size_t>(of.edge[slot]);
      sum += of.share[slot] * flux[edge];
      leaves[edge] += of.share[slot] * on.operators.area(static_cast<std::int64_t>(i));
    }
    CHECK(earth_radius * std::abs(sum - divergence[i]) < 1e-10);
  }
  for (const double both : leaves) CHECK(std::abs(both) < 1e-14);
}

// Air of several layers in a flow with divergence, and the densities that follow from it.
template <Order order>
struct Windy {
  static constexpr int levels = 5;
  static constexpr double dz = 1000, dt = 2000;
  Alone on{3, true};
  Edges edges{on.grid, on.patch, earth_radius};
  Shape<order> shape{on.patch.items(), levels};
  Tracer<order> tracer{MPI_COMM_SELF, on.patch, edges, shape, dz};
  Field<order> x{shape}, y{shape}, z{shape}, up{shape}, before{shape}, after{shape};

  Windy() {
    for (std::int64_t c = 0; c < on.patch.own; ++c) {
      const Vec p = on.at(static_cast<std::size_t>(c));
      for (int k = 0; k < levels; ++k) {
        const std::int64_t at = shape.at(c, k);
        const Vec v = cross(Vec{0.3, 0.1 * k, 1}, p) * 40 + Vec{p.y, p.z, p.x * p.z} * 10;
        x.data()[at] = v.x, y.data()[at] = v.y, z.data()[at] = v.z;
        up.data()[at] = k > 0 ? 0.05 * std::sin(5 * p.x + k) : 0.0;
        before.data()[at] = 1 + 0.1 * k + 0.2 * p.x;
      }
    }
    for (std::int64_t c = 0; c < on.patch.own; ++c) {
      for (int k = 0; k < levels; ++k) {
        double outflow = 0;
        for (int p = 0; p < Operators::points; ++p) {
          const std::int64_t at = shape.at(on.operators.item(p, c), k);
          outflow += dot(on.operators.flux(p, c), {x.data()[at], y.data()[at], z.data()[at]});
        }
        const std::int64_t at = shape.at(c, k);
        const double above = k + 1 < levels ? up.data()[shape.at(c, k + 1)] : 0.0;
        after.data()[at] = before.data()[at] - dt * (outflow + (above - up.data()[at]) / dz);
      }
    }
  }
  void put(const std::vector<double>& ratio) {  // [cell * levels + level]
    for (std::int64_t c = 0; c < on.patch.own; ++c) {
      for (int k = 0; k < levels; ++k) {
        tracer.amount()[shape.at(c, k)] =
            before.data()[shape.at(c, k)] * ratio[static_cast<std::size_t>(c * levels + k)];
      }
    }
  }
  std::vector<double> advanced() {
    tracer.advance(dt, {x.data(), y.data(), z.data(), up.data(), before.data(), after.data()}, nullptr);
    std::vector<double> ratio;
    for (std::int64_t c = 0; c < on.patch.own; ++c) {
      for (int k = 0; k < levels; ++k) ratio.push_back(tracer.amount()[shape.at(c, k)] / after.data()[shape.at(c, k)]);
    }
    return ratio;
  }
};

template <Order order>
void check_limits() {
  Windy<order> air;
  constexpr auto levels = static_cast<std::size_t>(Windy<order>::levels);
  const std::size_t values = air.on.size() * levels;
  air.put(std::vector<double>(values, 0.7));
  for (const double one : air.advanced()) CHECK(std::abs(one - 0.7) < 1e-13);
  // Blocks of 0 and 1, and noise: nothing beyond the cell and its neighbours.
  for (const bool noise : {false, true}) {
    std::vector<double> ratio(values);
    for (std::size_t i = 0; i < values; ++i) {
      const double block = air.on.at(i / levels).x > 0.2 && i % levels < 3 ? 1 : 0;
      ratio[i] = noise ? static_cast<double>(tenken::mix64(i) >> 11) * 0x1p-53 : block;
    }
    air.put(ratio);
    const auto mass = [&] {
      double sum = 0;
      for (std::int64_t c = 0; c < air.on.patch.own; ++c) {
        for (int k = 0; k < air.levels; ++k) sum += air.on.operators.area(c) * air.tracer.amount()[air.shape.at(c, k)];
      }
      return sum;
    };
    const double before = mass();
    const std::vector<double> now = air.advanced();
    CHECK(std::abs(mass() / before - 1) < 1e-13);
    double changed = 0;
    for (std::size_t i = 0; i < values; ++i) {
      double least = ratio[i], most = ratio[i];
      const auto meet = [&](std::size_t at) { least = std::min(least, ratio[at]), most = std::max(most, ratio[at]); };
      for (const std::int32_t across : air.edges.of(static_cast<std::int64_t>(i / levels)).across) {
        meet(static_cast<std::size_t>(across) * levels + i % levels);
      }
      if (i % levels > 0) meet(i - 1);
      if (i % levels + 1 < levels) meet(i + 1);
      CHECK(now[i] >= (least > 0 ? least - 1e-13 : 0));
      CHECK(now[i] <= most + 1e-13);
      changed = std::max(changed, std::abs(now[i] - ratio[i]));
    }
    CHECK(changed > 0.05);
  }
}

TEST_CASE("a constant stays constant, and no mixing ratio leaves the range of its neighbours") {
  if (tenken::testing::world_ranks() > 1) return;
  check_limits<Order::by_column>();
  check_limits<Order::by_level>();
}

TEST_CASE("amounts of the least numbers of double precision become none") {
  if (tenken::testing::world_ranks() > 1) return;
  Windy<Order::by_column> air;
  std::vector<double> ratio(air.on.size() * static_cast<std::size_t>(air.levels));
  for (std::size_t i = 0; i < ratio.size(); ++i) ratio[i] = i < ratio.size() / 2 ? 1e-310 : 1e-280;
  air.put(ratio);
  int small = 0, none = 0;
  for (const double one : air.advanced()) {
    small += one != 0 && std::abs(one) < 1e-291 ? 1 : 0;
    none += one == 0 ? 1 : 0;
  }
  CHECK(small == 0);
  CHECK(none > 0);
  CHECK(none < static_cast<int>(ratio.size()));
}

TEST_CASE("where nothing is limited the fluxes are those of Lax and Wendroff, edge by edge") {
  if (tenken::testing::world_ranks() > 1) return;
  Windy<Order::by_column> air;
  constexpr int levels = air.levels;
  std::vector<double> ratio;
  for (std::size_t i = 0; i < air.on.size(); ++i) {
    for (int k = 0; k < levels; ++k) ratio.push_back(2 + 0.3 * air.on.at(i).z + 0.1 * k);  // smooth and linear
  }
  air.put(ratio);
  const std::vector<double> now = air.advanced();
  int same = 0, inner = 0;
  for (std::int64_t c = 0; c < air.on.patch.own; ++c) {
    if (std::abs(air.on.at(static_cast<std::size_t>(c)).z) > 0.7) continue;
    for (int k = 1; k + 1 < levels; ++k) {
      const auto at = [&](const Field<Order::by_column>& f, std::int64_t item, int level) {
        return f.data()[air.shape.at(item, level)];
      };
      const auto q = [&](std::int64_t item, int level) {
        return ratio[static_cast<std::size_t>(item * levels + level)];
      };
      double amount = at(air.before, c, k) * q(c, k);
      const auto leave = [&](double flux, double geometry, double theirs, double dense) {
        const double courant = std::abs(flux) * geometry / (0.5 * (at(air.before, c, k) + dense));
        const double upwind = flux > 0 ? q(c, k) : theirs, downwind = flux > 0 ? theirs : q(c, k);
        amount -= flux * (upwind + 0.5 * (1 - courant) * (downwind - upwind));
      };
      const Edges::OfCell& of = air.edges.of(c);
      for (std::size_t slot = 0; slot < of.edge.size(); ++slot) {
        const Edges::Edge& e = air.edges.edge(of.edge[slot]);
        const auto mean = [&](const Field<Order::by_column>& f) {
          return e.of_from * at(f, e.from, k) + e.of_to * at(f, e.to, k) + e.of_before * at(f, e.before, k) +
                 e.of_after * at(f, e.after, k);
        };
        const double flux = air.dt * of.share[slot] * dot(e.outward, {mean(air.x), mean(air.y), mean(air.z)});
        const std::int32_t across = of.across[slot];
        leave(flux, air.on.operators.area(c) * e.per_spread, q(across, k), at(air.before, across, k));
      }
      leave(air.dt / air.dz * at(air.up, c, k + 1), 1, q(c, k + 1), at(air.before, c, k + 1));
      leave(-air.dt / air.dz * at(air.up, c, k), 1, q(c, k - 1), at(air.before, c, k - 1));
      ++inner;
      same += std::abs(amount / at(air.after, c, k) - now[static_cast<std::size_t>(c * levels + k)]) < 1e-12 ? 1 : 0;
    }
  }
  CAPTURE(same);
  CAPTURE(inner);
  CHECK(same > 0.9 * inner);
}

}  // namespace
