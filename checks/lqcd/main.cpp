#include <optional>

#include "input.hpp"
#include "lanes/run_even_odd.hpp"
#include "measure/section.hpp"
#include "pion/run_pion.hpp"
#include "run.hpp"
#include "source.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::lqcd;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const std::optional<NerscHeader> header = configuration_header(check);
  const Geometry geometry = make_geometry(check, header);
  const Signs boundary = boundary_of(parameters);
  const bool pion = pion_asked(parameters);
  const PointSource point = point_of(check, geometry);
  const Faults faults = faults_of(check, geometry);
  const Configuration configuration{start_from(parameters.text("start")), parameters.real("epsilon"),
                                    static_cast<std::uint64_t>(parameters.integer("seed"))};
  Links links;
  std::optional<ExtendedLinks> made;  // kept apart from what the operator uses, so that a change of it shows
  {
    Section setup{this_check::section::setup};
    links = first_links(check, geometry, configuration, header);
    made.emplace(check.comm(), geometry, links);
    if (!header && configuration.start == Start::heatbath) thermalise(check, configuration.seed, *made, links);
    settle(check, configuration, header, *made, links);
  }
  flip_link(check, links);
  {
    Section setup{this_check::section::setup};
    prove_gauge_field(check, configuration, header, *made, links);
    cross_boundary(geometry, boundary, links);
  }
  Wilson h(check.comm(), geometry, links, parameters.real("kappa"), faults);
  {
    Section setup{this_check::section::setup};
    prove_operator(check, {check.comm(), geometry, configuration.seed, *made, links, h, faults, boundary});
    made.reset();
  }
  const Field source = make_source(check, geometry, point, configuration.seed);
  record_source(check, h, source);
  if (pion) return solve_pion(check, h, links, point);
  if (parameters.text("solver") == "normal") return solve(check, h, source);
  const ExtendedLinks used(check.comm(), geometry, links);
  if (parameters.text("solver") == "operator") return time_operator(check, h, used, source);
  solve_even_odd(check, h, used, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
