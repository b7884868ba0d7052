#include "measure/section.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::lqcd;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const Geometry geometry = make_geometry(check);
  const Faults faults = faults_of(check, geometry);
  const Configuration configuration{start_from(parameters.text("start")), parameters.real("epsilon"),
                                    static_cast<std::uint64_t>(parameters.integer("seed"))};
  Links links;
  {
    Section setup{this_check::section::setup};
    links = make_links(geometry, configuration);
  }
  flip_link(check, links);
  Wilson h(check.comm(), geometry, links, parameters.real("kappa"), faults);
  {
    Section setup{this_check::section::setup};
    prove_operator(check, geometry, configuration, links, h, faults);
  }
  Field source = make_field(geometry);
  if (parameters.text("source") == "point") {
    fill_point(geometry, source);
  } else {
    fill_random(geometry, configuration.seed, Purpose::source, source);
  }
  solve(check, h, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
