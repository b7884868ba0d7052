// The program of this check with variant `cuda` and made-up cards in memory of the host, for tests where no card is.
#include "card_launch.hpp"
#include "gpu/made_up_cards.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  mpi_pt2pt::launch_on_cards(check, {mpi_pt2pt::device::on_host::cards, mpi_pt2pt::device::on_host::make_device});
}

}  // namespace

int main(int argc, char** argv) { return tenken::gpu::run_with_made_up_cards(argc, argv, this_check::table, body); }
