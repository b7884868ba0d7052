#include "launch.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr lqcd::device::Form on_card{lqcd::device::on_card::cards, lqcd::device::on_card::make_device};
    if (check.variant() == "cuda") return lqcd::launch(check, &on_card);
  }
  lqcd::launch(check, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
