// The program of this check with the kernels of variant `cuda` in loops on the host, for tests where no device is.
#include "launch.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) { lqcd::launch(check, lqcd::device::on_host::make_device); }

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
