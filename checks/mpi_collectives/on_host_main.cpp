// The program of this check with made-up cards in memory of the host, for tests where no card is. Variant `nccl` opens
// the library that the test puts in its place.
#include "card_launch.hpp"
#include "device/nccl.hpp"
#include "gpu/made_up_cards.hpp"
#include "this_check.hpp"

namespace {

using namespace mpi_collectives;

void body(tenken::Check& check) {
  constexpr device::Form on_host{device::on_host::cards, device::on_host::make_device};
  if constexpr (this_check::built::nccl) {
    if (check.variant() == "nccl") return launch_on_cards(check, on_host, device::carried_by_nccl);
  }
  launch_on_cards(check, on_host, nullptr);
}

constexpr tenken::VariantSpec variants[] = {{"cuda", "", false}, {"nccl", "", false}};

}  // namespace

int main(int argc, char** argv) {
  return tenken::gpu::run_with_made_up_cards(argc, argv, this_check::table, body, variants);
}
