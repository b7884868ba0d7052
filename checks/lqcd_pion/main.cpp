#include "qcd/launch/source.hpp"
#include "run.hpp"
#include "sections.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  qcd::PreparedField field(check, lqcd_pion::bytes_a_site(check.parameters()));
  const Index4 site = qcd::source_site(check.parameters(), field.geometry());
  field.make(check, this_check::section::setup, lqcd_pion::field_proofs);
  qcd::Field source = qcd::make_field(field.geometry());
  qcd::fill_point(field.geometry(), {.site = site}, source);
  qcd::record_source(check, field.h(), source);
  lqcd_pion::solve_pion(check, field, site);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
