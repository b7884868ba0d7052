#include "card_launch.hpp"

#include "base/error.hpp"
#include "gpu/take_card.hpp"
#include "systems.hpp"

namespace hpl {

using namespace tenken;

void launch_on_card(Check& check, const device::Form& form) {
  if (check.parameters().real("solve_seconds") > 0)
    refuse("--solve_seconds counts on the rate of the processors; with variant 'cuda' give --n or --percent_of_memory");
  const auto card = form.make_device(gpu::take_card(check, form.cards()));
  gpu::record_section_cost(check, card->facts().name, card->section_cost());  // subtracted nowhere
  check.library("device_blas", card->library());
  Systems(check, card.get()).run();
}

}  // namespace hpl
