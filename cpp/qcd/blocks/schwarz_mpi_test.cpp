#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "qcd/blocks/operator.inl.hpp"
#include "qcd/blocks/schwarz.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

// Four lanes on any machine: blocks of 2,2,2,2 and 4,2,2,4 are stacked.
using Operator = BlockOperator<float, 4>;
constexpr double kappa = 0.124, csw = 1.2;

struct Fixture {
  explicit Fixture(const Index4& block)
      : geometry({8, 4, 4, 8}, {1, 1, 1, 1}, 0),
        links(MPI_COMM_SELF, geometry, make_links(geometry, {Start::warm, 0.4, 3})),
        inverse(invert_clover(geometry, make_clover(links, kappa, csw)).field),
        layout(geometry, block, 4),
        op(MPI_COMM_SELF, layout, links, &inverse, kappa, {}, {}),
        scratch(static_cast<std::size_t>(scratch_fields * layout.vectors()), Pages::any, "scratch"),
        in(make_field(geometry)) {
    fill_random(geometry, 1, Purpose::source, in);
  }

  // |r|^2 of each block of a group, by lanes.
  std::vector<double> norms(const Operator::Vector& r, int group) const {
    std::vector<double> sums(static_cast<std::size_t>(layout.blocks_in_group()));
    for (int p = 0; p < parities; ++p) {
      for (std::int32_t v = 0; v < layout.vectors(); ++v) {
        const auto* const numbers = reinterpret_cast<const float*>(op.at(r, group, p) + v);
        for (int n = 0; n < spinor_numbers; ++n) {
          for (int lane = 0; lane < 4; ++lane) {
            const double x = numbers[n * 4 + lane];
            sums[static_cast<std::size_t>(layout.block_of_lane(lane))] += x * x;
          }
        }
      }
    }
    return sums;
  }
  // After so many steps from the same residual.
  std::vector<double> left(BlockSolver kind, int steps, int group) {
    Schwarz<Operator> schwarz(op, {kind, steps, 1});
    auto z = op.make(), r = op.make();
    op.take(in, 1, r);
    ThreadTimes times;
    schwarz.solve_group(group, z, r, scratch.data(), times);
    return norms(r, group);
  }

  Geometry geometry;
  ExtendedLinks links;
  CloverField inverse;
  BlockLayout layout;
  Operator op;
  Buffer<Operator::Spin> scratch;
  Field in;
};

}  // namespace

TEST_CASE("the residual of no block rises with a step of minres, and more steps of ssor leave less") {
  if (!every_grid::one_rank()) return;
  for (const Index4& block : {Index4{2, 2, 2, 2}, Index4{4, 2, 2, 4}, Index4{4, 2, 2, 2}}) {
    Fixture f(block);
    REQUIRE(f.layout.blocks_in_group() > 1);
    for (const int group : {0, f.layout.groups() - 1}) {
      std::vector<double> before = f.left(BlockSolver::minres, 1, group);
      for (int steps = 2; steps < 7; ++steps) {
        const std::vector<double> after = f.left(BlockSolver::minres, steps, group);
        // A solved block has rounding left.
        for (std::size_t k = 0; k < after.size(); ++k) CHECK(after[k] <= 1.0001 * before[k] + 1e-10);
        before = after;
      }
      const std::vector<double> few = f.left(BlockSolver::ssor, 2, group), many = f.left(BlockSolver::ssor, 8, group);
      for (std::size_t k = 0; k < few.size(); ++k) CHECK(many[k] < 0.1 * few[k]);
    }
  }
}
