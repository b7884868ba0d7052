#include "card_launch.hpp"

#include <vector>

#include "base/error.hpp"
#include "freivalds.hpp"
#include "gpu/take_card.hpp"
#include "kernel.hpp"
#include "matrix.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"

namespace dgemm {

using namespace tenken;

void launch_on_card(Check& check, const device::Form& form) {
  const std::int64_t n = check.parameters().integer("n");
  if (check.parameters().integers("teams") != std::vector<std::int64_t>{1})
    refuse("--teams: variant 'cuda' works with the whole card; leave --teams out");
  const double bytes = 3.0 * 8.0 * static_cast<double>(n * n);
  check.require_memory(bytes, "dgemm");
  const auto card = form.make_device(gpu::take_card(check, form.cards()));
  gpu::record_section_cost(check, card->facts().name, card->section_cost());  // subtracted nowhere
  check.library("blas", card->library());

  const Buffer<double> a = random_matrix(n, 1), b = random_matrix(n, 2);
  Buffer<double> c = random_matrix(n, 3);
  Freivalds freivalds(static_cast<int>(n), alpha, a.data(), b.data(), beta, c.data(), 4);
  card->load(static_cast<int>(n), a.data(), b.data(), c.data());
  const double ns_per_tick = Clock().ns_per_tick();
  check.repeat([&](int) {
    MPI_Barrier(check.comm());  // cards share the power of the node, and some ranks a card
    add_sample(this_check::section::multiply, static_cast<std::int64_t>(card->multiply(alpha, beta) / ns_per_tick),
               work(n));
    card->read(c.data());
    freivalds.residual(c.data());
  });
  check.prove(this_check::validity::freivalds, check.max_over_ranks(freivalds.worst()));
  check.value("working_set_bytes", "B", bytes * check.ranks());
}

}  // namespace dgemm
