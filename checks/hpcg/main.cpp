#include "run.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace tenken::hpcg;

void body(Check& check) {
  const Index<3> cells = cells_of(check), ranks = ranks_of(check);
  check.value("memory_bytes", "B", require_memory(check, cells));
  Run run(check, cells, ranks);
  run.prove();
  run.rehearse();
  run.time();
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
