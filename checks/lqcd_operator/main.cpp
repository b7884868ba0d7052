#include "hops.hpp"
#include "qcd/launch/even_odd.hpp"
#include "qcd/launch/field.hpp"
#include "qcd/launch/source.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
namespace validity = this_check::validity;

constexpr qcd::FieldProofs proofs{.links = validity::links,
                                  .plaquette = validity::plaquette,
                                  .hermiticity = validity::hermiticity,
                                  .covariance = validity::covariance,
                                  .free_field = validity::free_field,
                                  .reference = validity::reference};

void body(Check& check) {
  qcd::PreparedField field(check, qcd::even_odd_bytes_a_site(1));
  field.make(check, this_check::section::setup, proofs);
  qcd::Field source = qcd::make_field(field.geometry());
  qcd::fill_point(field.geometry(), {}, source);
  qcd::record_source(check, field.h(), source);
  const qcd::ExtendedLinks links(check.comm(), field.geometry(), field.links());
  lqcd_operator::time_hops(check, field.h(), links, source);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
