#include <optional>

#include "input.hpp"
#include "lanes/run_even_odd.hpp"
#include "measure/section.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::lqcd;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const std::optional<NerscHeader> header = configuration_header(check);
  const Geometry geometry = make_geometry(check, header);
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
  Wilson h(check.comm(), geometry, links, parameters.real("kappa"), faults);
  {
    Section setup{this_check::section::setup};
    prove_operator(check, configuration, header, *made, links, h, faults);
    made.reset();
  }
  Field source = make_field(geometry);
  if (parameters.text("source") == "point") {
    fill_point(geometry, source);
  } else {
    fill_random(geometry, configuration.seed, Purpose::source, source);
  }
  if (parameters.text("solver") == "normal") return solve(check, h, source);
  const ExtendedLinks used(check.comm(), geometry, links);
  if (parameters.text("solver") == "operator") return time_operator(check, h, used, source);
  solve_even_odd(check, h, used, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
