#include "measure/check.hpp"
#include "sweep.hpp"
#include "this_check.hpp"

namespace {
void body(tenken::Check& check) {
  cache::Sweep sweep(check);
  check.repeat([&](int repetition) { sweep.pass(repetition >= 0); });
  sweep.finish();
}
}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
