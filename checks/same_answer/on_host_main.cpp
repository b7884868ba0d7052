// The program of this check with the kernels of variant `cuda` in loops on the host, for tests where no card is.
#include "card_launch.hpp"
#include "gpu/runtime.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  tenken::gpu::stand_in().card.multiprocessors = 3;  // few that have a majority
  same_answer::launch_on_card(check, {same_answer::device::on_host::cards, same_answer::device::on_host::make_device});
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
