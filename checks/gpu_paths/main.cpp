#include "measure_paths.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr tenken::gpu_paths::Form on_card{tenken::gpu_paths::on_card::cards, tenken::gpu_paths::on_card::make};
    tenken::gpu_paths::measure(check, on_card);
  }
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
