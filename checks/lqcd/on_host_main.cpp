// The program of this check with the kernels of variant `cuda` in loops on the host, for tests where no device is.
#include "launch.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  constexpr lqcd::device::Form on_host{lqcd::device::on_host::cards, lqcd::device::on_host::make_device};
  lqcd::launch(check, &on_host);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
