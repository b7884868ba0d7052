#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr hpcg::device::Form on_card{hpcg::device::on_card::cards, hpcg::device::on_card::make_device};
    if (check.variant() == "cuda") return hpcg::launch(check, &on_card);
  }
  hpcg::launch(check, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
