#include <array>
#include <vector>

#include "base/error.hpp"
#include "exchange.hpp"
#include "faults.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "pair_times.hpp"
#include "players.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace mpi_pairs;

// Round trips of one sample: about 0.1 ms of small messages over a slow network, two of large ones.
constexpr int small_round_trips = 20;
constexpr int large_round_trips = 2;

void body(Check& check) {
  const Players players = players_of(check.comm(), check.parameters().text("between"));
  if (players.size() < 2) refuse("mpi_pairs needs two ranks at least; start it with mpirun -n 2, or set --ranks 2");
  const std::vector<int> rounds = rounds_of(players.size());
  std::array<Exchange, 2> exchanges{
      Exchange{check.comm(), static_cast<std::size_t>(check.parameters().integer("small")), small_round_trips},
      Exchange{check.comm(), static_cast<std::size_t>(check.parameters().integer("large")), large_round_trips}};
  constexpr std::array sections{this_check::section::latency, this_check::section::bandwidth};

  const int planned =
      check.planned(static_cast<int>(rounds.size()) * static_cast<int>(check.parameters().integer("sweeps")));
  const int meetings = planned / static_cast<int>(rounds.size()) + 1;
  std::array<PairTimes, 2> times{PairTimes{players, meetings}, PairTimes{players, meetings}};
  std::uint64_t sample = 0;
  std::int64_t wrong = 0;
  const auto play = [&](int round, bool timed) {
    const int partner = players.partner(round);
    for (std::size_t kind = 0; kind < exchanges.size(); ++kind) {
      Exchange& exchange = exchanges[kind];
      if (partner != nobody) exchange.prepare(++sample);
      MPI_Barrier(check.comm());  // all pairs of the round at once
      if (partner == nobody) continue;
      exchange.meet(partner);
      const int passes = passes_of(check, players, partner);
      if (timed) {
        const std::int64_t trips = check.rank() < partner ? exchange.round_trips() : 0;  // counted once a pair
        const std::int64_t bytes = trips * check.parameters().integer(kind == 0 ? "small" : "large");
        const Work work{.bytes_read = bytes, .bytes_written = bytes, .messages = 2 * trips};
        const std::int64_t start = monotonic_ns();
        {
          Section section{sections[kind], 0, work, 2 * exchange.round_trips()};
          exchange.run(partner, passes);
        }
        times[kind].add(partner, monotonic_ns() - start, 2 * exchange.round_trips());
      } else {
        exchange.run(partner, passes);
      }
      wrong += exchange.wrong(partner);
    }
  };
  for (const int round : rounds) play(round, false);  // connections are made at the first message
  {
    Timing timing(check, planned);
    for (int r = 0; r < planned; ++r) {
      const auto repetition = timing.next();
      play(rounds[static_cast<std::size_t>(r) % rounds.size()], true);
    }
  }
  check.prove(this_check::validity::payload, check.sum_over_ranks(static_cast<double>(wrong)));
  if (players.size() <= largest_matrix) {
    check.table(times[0].table(check.comm(), check.host(), "latency"));
    check.table(times[1].table(check.comm(), check.host(), "bandwidth"));
  }
  check.value("players", "1", players.size());
  check.value("between_nodes", "1", players.nodes ? 1 : 0);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
