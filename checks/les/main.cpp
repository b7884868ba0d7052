#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace les;

template <class Real>
void steps(Check& check, const Launch& launch) {
  Run<Real> run(check, launch);
  check.repeat([&](int) { run.pass(); });
  run.report();
}

void body(Check& check) {
  const Launch launch = launch_of(check, settings_of(check.parameters(), check.ranks()));
  if (launch.settings.single) {
    steps<float>(check, launch);
  } else {
    steps<double>(check, launch);
  }
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
