#include <vector>

#include "base/error.hpp"
#include "core_round_trip.hpp"
#include "exchange.hpp"
#include "measure/check.hpp"
#include "pairs.hpp"
#include "parallel/batch.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace {
using namespace tenken;
using namespace mpi_pingpong;

void body(Check& check) {
  if (check.ranks() < 2) refuse("mpi_pingpong needs two ranks at least; start it with mpirun -n 2, or say --ranks 2");
  const std::vector<std::int64_t> sizes = check.parameters().integers("sizes");
  const int partner = partner_of(check.rank(), check.ranks(), check.parameters().text("pairing") == "halves");
  const bool idle = partner == nobody;
  std::vector<Exchange> all;
  std::vector<int> round_trips;
  std::uint64_t sample = 0;
  for (const std::int64_t size : sizes) {
    Exchange& exchange = all.emplace_back(check.comm(), partner, static_cast<std::size_t>(size));
    round_trips.push_back(batch_of(check.comm(), [&](int calls) {
      if (idle) return;
      exchange.prepare(++sample, calls);
      exchange.run();
    }));
  }
  CoreRoundTrip cores(check.comm(), partner);
  const auto probe = [&](const char* name) {
    if (cores.shared() && !check.oversubscribed()) check.value(name, "ns", cores.nanoseconds());
  };

  probe("core_round_trip_before");
  std::int64_t wrong = 0;
  check.repeat([&](int) {
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      if (!idle) all[s].prepare(++sample, round_trips[s]);
      MPI_Barrier(check.comm());  // all pairs at once
      if (idle) continue;
      all[s].meet();
      {
        const Work counted = work(all[s].starts(), sizes[s], round_trips[s]);
        Section section{this_check::section::exchange, static_cast<int>(s), counted, 2 * round_trips[s]};
        all[s].run();
      }
      wrong += all[s].wrong();
    }
  });
  probe("core_round_trip_after");
  check.prove(this_check::validity::payload, check.sum_over_ranks(static_cast<double>(wrong)));
  check.value("pairs_on_one_node", "1", check.sum_over_ranks(cores.shared() ? 0.5 : 0));
  check.value("idle_ranks", "1", check.ranks() % 2);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
