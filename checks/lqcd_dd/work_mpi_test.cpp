#include <doctest/doctest.h>

#include "measure/open_sections.hpp"
#include "qcd/blocks/inner.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "sections.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.12, csw = 1.2;
constexpr Configuration warm{Start::warm, 0.3, 7};
constexpr Index4 lattice{8, 8, 4, 8}, block{4, 2, 2, 4};
constexpr Index4 blocks{2, 4, 2, 2};

// Hops of this rank that stay in their block, that leave it, and its sites at faces of other ranks, one by one.
struct Counted {
  std::int64_t inside = 0, leaving = 0, sent = 0;
};
Counted counted(const Geometry& g) {
  Counted all;
  for (int site = 0; site < g.sites; ++site) {
    const Index4 x = g.global(site);
    for (int mu = 0; mu < directions; ++mu) {
      for (const int step : {1, -1}) {
        const Index4 y = moved(g.block.lattice(), x, mu, step);
        const bool same = x[mu] / block[mu] == y[mu] / block[mu];
        all.inside += same ? 1 : 0;
        all.leaving += same ? 0 : 1;
        all.sent += g.local(y) < 0 ? 1 : 0;
      }
    }
  }
  return all;
}

std::int64_t flop(const OpenSections& open, Leaf section) {
  return open.cell(static_cast<std::size_t>(section.id)).flop;
}

}  // namespace

TEST_CASE(
    "a sweep has the work of the hops inside of blocks, of the inverses and of the faces, and sends what it states") {
  namespace section = this_check::section;
  // The grid of the blocks is that of the lattice.
  const Geometry g(lattice, choose_grid(blocks, world_ranks()), world_rank());
  const Links links = make_links(g, warm);
  const ExtendedLinks around(MPI_COMM_WORLD, g, links);
  const CloverField inverse = invert_clover(g, make_clover(around, kappa, csw)).field;
  const Counted all = counted(g);
  Field in = make_field(g), z = make_field(g), rest = make_field(g);
  fill_random(g, 3, Purpose::source, in);
  for (const int steps : {1, 3}) {
    for (const bool ssor : {true, false}) {
      const auto inner = make_inner(
          MPI_COMM_WORLD, g, around, &inverse, kappa,
          {.block = block,
           .preconditioner = {.solver = ssor ? BlockSolver::ssor : BlockSolver::minres, .steps = steps, .cycles = 2},
           .sections = lqcd_dd::block_sections});
      OpenSections open(this_check::table);
      inner->sweep(z, rest, in);
      // Half steps of each block in each cycle, each of half of its sites.
      const std::int64_t halves = 2 * (2 * steps + (ssor ? 1 : 2));
      CHECK(flop(open, section::drbicgstab_dd_kernel3_kernel1) == halves * all.inside / 2 * 165);
      CHECK(flop(open, section::drbicgstab_dd_kernel3_kernel2) == halves * g.sites / 2 * (504 + 48));
      // What each colour gives is added to the other once a cycle.
      CHECK(flop(open, section::drbicgstab_dd_faces) == 2 * (all.leaving * 165 + g.sites * (504 + 48)));
      CHECK(open.single(section::drbicgstab_dd_kernel3_kernel1));
      CHECK(inner->cycle_bytes() == all.sent * 12 * 4);
      const Cell& send = open.cell(static_cast<std::size_t>(section::drbicgstab_dd_send.id));
      CHECK(send.bytes_written == 2 * inner->cycle_bytes());
      CHECK(inner->sent_bytes() == 2 * inner->cycle_bytes());
    }
  }
}
