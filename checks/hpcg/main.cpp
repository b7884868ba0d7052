#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::hpcg;

void body(Check& check) {
  Run run(check, problem_of(check));
  run.prove();
  run.rehearse();
  run.time();
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
