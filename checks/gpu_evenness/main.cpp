#include "measure_cards.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr tenken::gpu_evenness::Form on_card{tenken::gpu_evenness::on_card::cards,
                                                 tenken::gpu_evenness::on_card::make};
    tenken::gpu_evenness::measure(check, on_card);
  }
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
