// The program of this check with the products of variant `cuda` in loops on the host, for tests where no card is.
#include "card_launch.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  dgemm::launch_on_card(check, {dgemm::device::on_host::cards, dgemm::device::on_host::make_device});
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
