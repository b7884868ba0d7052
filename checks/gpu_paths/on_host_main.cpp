// The program of this check with several made-up cards on the host.
#include "gpu/made_up_cards.hpp"
#include "measure_paths.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  constexpr tenken::gpu_paths::Form on_host{tenken::gpu_paths::on_host::cards, tenken::gpu_paths::on_host::make};
  tenken::gpu_paths::measure(check, on_host);
}

}  // namespace

int main(int argc, char** argv) { return tenken::gpu::run_with_made_up_cards(argc, argv, this_check::table, body); }
