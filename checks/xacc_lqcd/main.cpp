#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "faces.hpp"
#include "run.hpp"
#include "sections.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::xacc_lqcd;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const Grid grid = grid_of(check.ranks());
  const XaccLqcdVersion& version = version_of(check, grid);
  const Block block = block_of(version, grid.t, grid.z, check.rank());
  check.require_memory(static_cast<double>(block.sites() + 1) * 2 * (4 * link_bytes + 6 * spinor_bytes),
                       "this lattice");
  const auto samples = static_cast<int>(parameters.integer("faces"));
  std::optional<Faces> faces;
  if (samples > 0) faces.emplace(check);
  take_route(check);
  xacc_lqcd_nodes_z = grid.z;
  listen();
  version.prepare(check.comm());
  if (check.fault("link_sign")) version.flip_link();
  const Differences wrong = against_serial(check, version);
  check.prove(this_check::validity::residuals, wrong.residuals);
  check.prove(this_check::validity::slices, wrong.slices);

  const auto iterations = static_cast<int>(parameters.integer("iterations"));
  const std::vector<double> history = residuals(version, iterations), x2 = slices(version);
  double deviation = 0;
  int n = iterations;
  check.repeat([&](int repetition) {
    if (n == iterations || repetition == 0) {
      version.begin();
      n = 0;
    }
    {
      const Timed timed{block, grid.t, grid.z};
      const Section solve{this_check::section::solve};
      version.iterate();
    }
    deviation = std::max(deviation, difference({version.residual()}, {history[static_cast<std::size_t>(n++)]}));
  });
  check.prove(this_check::validity::repeat, check.max_over_ranks(deviation));
  if (faces) faces->measure(samples);
  check.value("ranks_t", "1", grid.t);
  check.value("ranks_z", "1", grid.z);
  check.value("iterations", "1", iterations);
  check.value("residual", "1", history.back());
  for (std::size_t t = 0; t < x2.size(); ++t) {
    char name[16];
    std::snprintf(name, sizeof name, "slice_%03d", static_cast<int>(t));
    check.value(name, "1", x2[t]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  setenv("XACC_ROUTES", "", 0);  // measured in each launch: what another one found is no part of this one
  return run_check(argc, argv, this_check::table, body);
}
