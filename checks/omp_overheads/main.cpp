#include "core_mode.hpp"
#include "measure/check.hpp"
#include "overheads.hpp"
#include "this_check.hpp"
#include "waiting.hpp"

namespace {
using namespace tenken;
using namespace omp_overheads;

void body(Check& check) {
  Overheads overheads(check);
  CoreMode mode(check.threads());
  const bool probed = check.threads() > 1 && !check.oversubscribed();
  if (probed) check.value("core_round_trip_before", "ns", check.max_over_ranks(mode.nanoseconds()));
  check.repeat([&](int repetition) { overheads.pass(repetition >= 0); });
  if (probed) check.value("core_round_trip_after", "ns", check.max_over_ranks(mode.nanoseconds()));
  check.prove(this_check::validity::counts,
              check.sum_over_ranks(overheads.wrong() + static_cast<double>(mode.wrong())));
  check.table(overheads.thread_times());
}
}  // namespace

int main(int argc, char** argv) {
  omp_overheads::wait_as_asked(argc, argv);
  return tenken::run_check(argc, argv, this_check::table, body);
}
