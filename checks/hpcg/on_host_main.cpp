// The program of this check with the kernels of variant `cuda` in loops on the host, for tests where no card is.
#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  constexpr hpcg::device::Form on_host{hpcg::device::on_host::cards, hpcg::device::on_host::make_device};
  hpcg::launch(check, &on_host);
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
