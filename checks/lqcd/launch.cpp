#include "launch.hpp"

#include "base/error.hpp"
#include "gpu/take_card.hpp"
#include "qcd/launch/even_odd.hpp"
#include "qcd/launch/source.hpp"
#include "sections.hpp"
#include "solve.hpp"
#include "this_check.hpp"

namespace tenken::lqcd {

namespace {

// Of the host while it fills a device: links with their halo, those of one direction as the device has them, and
// fields.
constexpr double device_bytes_a_site = 576 + 288 + 4 * 192;

// Refuses parameters that only vectors of the host have.
void refuse_vectors(const Parameters& parameters) {
  if (parameters.text("storage") == "once") {
    refuse("--storage once: variant 'cuda' stores each link twice; leave --storage out or give twice");
  }
  if (parameters.text("vector_bytes") != "build") {
    refuse("--vector_bytes " + parameters.text("vector_bytes") +
           ": variant 'cuda' has no vectors; leave --vector_bytes out");
  }
  if (parameters.text("fault") == "lane_swap") {
    refuse("--fault lane_swap needs a solver that works on vectors; take --variant plain");
  }
}

}  // namespace

void launch(Check& check, const device::Form* form) {
  const Parameters& parameters = check.parameters();
  const bool normal = parameters.text("solver") == "normal";
  std::unique_ptr<device::Device> device;
  if (form != nullptr) {
    refuse_vectors(parameters);
    device = form->make_device(gpu::take_card(check, form->cards()));
  }
  const double bytes_a_site = device ? device_bytes_a_site : normal ? 0 : qcd::even_odd_bytes_a_site(1);
  qcd::PreparedField field(check, bytes_a_site);
  const qcd::PointSource point = qcd::point_of(check, field.geometry());
  field.make(check, this_check::section::setup, lqcd::field_proofs);
  const qcd::Field source = qcd::make_source(check, field.geometry(), point, field.configuration().seed);
  qcd::record_source(check, field.h(), source);
  if (!device && normal) return solve_normal(check, field.h(), source);
  const qcd::ExtendedLinks links(check.comm(), field.geometry(), field.links());
  if (device) return solve_on_device(check, *device, field.h(), links, source);
  solve_even_odd(check, field.h(), links, source);
}

}  // namespace tenken::lqcd
