// The program of this check with the updates of variant `cuda` in loops on the host, for tests where no card is.
#include "card_launch.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  hpl::launch_on_card(check, {hpl::device::on_host::cards, hpl::device::on_host::make_device});
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
