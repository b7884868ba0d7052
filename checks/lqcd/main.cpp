#include "qcd/launch/even_odd.hpp"
#include "qcd/launch/source.hpp"
#include "sections.hpp"
#include "solve.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  const bool normal = parameters.text("solver") == "normal";
  qcd::PreparedField field(check, normal ? 0 : qcd::even_odd_bytes_a_site(1));
  const qcd::PointSource point = qcd::point_of(check, field.geometry());
  field.make(check, this_check::section::setup, lqcd::field_proofs);
  const qcd::Field source = qcd::make_source(check, field.geometry(), point, field.configuration().seed);
  qcd::record_source(check, field.h(), source);
  if (normal) return lqcd::solve_normal(check, field.h(), source);
  const qcd::ExtendedLinks links(check.comm(), field.geometry(), field.links());
  lqcd::solve_even_odd(check, field.h(), links, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
