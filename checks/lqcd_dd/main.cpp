#include <cmath>

#include "fermions.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/launch/source.hpp"
#include "qcd/vectors.hpp"
#include "sections.hpp"
#include "solve.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  const Parameters& parameters = check.parameters();
  qcd::PreparedField field(check, lqcd_dd::bytes_a_site(parameters), lqcd_dd::block_of(parameters));
  const qcd::Geometry& geometry = field.geometry();
  const qcd::PointSource point = qcd::point_of(check, geometry);
  lqcd_dd::check_blocks(check, geometry);
  field.make(check, this_check::section::setup, lqcd_dd::field_proofs);
  const qcd::ExtendedLinks around(check.comm(), geometry, field.links());
  lqcd_dd::Fermions fermions;
  lqcd_dd::add_clover_term(check, field, around, fermions);
  const qcd::Field source = qcd::make_source(check, geometry, point, field.configuration().seed);
  qcd::record_source(check, field.h(), source);
  qcd::Field constant = qcd::make_field(geometry), image = qcd::make_field(geometry);
  qcd::fill_constant(geometry, constant);
  field.h().apply(image, constant);
  check.value("clover_norm", "1", std::sqrt(check.sum_over_ranks(qcd::norm2(image))));
  lqcd_dd::solve(check, field, around, fermions, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
