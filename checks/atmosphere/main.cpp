#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace atmosphere;

void body(Check& check) {
  Run run(check, settings_of(check.parameters(), check.ranks()));
  check.repeat([&](int) { run.pass(); });
  run.report();
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
