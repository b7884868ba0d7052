#include <algorithm>

#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::elasticity;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const Mesh mesh = make_mesh(check);
  const Material material{.poisson = parameters.real("poisson_ratio")};
  System system(check.comm(), mesh, material, faults_of(check));
  const auto seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  const Subject subject{system, material, seed, row_norm(system)};
  prove_operator(check, subject);
  const Buffer<double> load = traction(mesh);
  Cg cg(system, load);
  const Replay replay = solve(check, subject, cg);
  time_iterations(check, system, cg, replay);
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
