// Round trips of one size in three forms, in turn: mpirun -n 2 messages_by_hand SIZE ROUNDS.
//   fresh  as mpi_pt2pt times them: every message in lines of its own, written just before, checked after
//   again  the same messages sent once more, neither written nor checked
//   hot    one buffer on each side for all messages, as NetPIPE has it
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "in_turn.hpp"
#include "lane.hpp"
#include "parallel/batch.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long long size = argc > 1 ? std::atoll(argv[1]) : 0;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 301;
  if (ranks != 2 || size < 1 || rounds < 1) {
    if (rank == 0) std::fprintf(stderr, "messages_by_hand: two ranks, a size in bytes and rounds are wanted\n");
    MPI_Finalize();
    return 2;
  }
  const int partner = 1 - rank;
  mpi_pt2pt::Lane lane(MPI_COMM_WORLD, partner, static_cast<std::size_t>(size), mpi_pt2pt::Way::blocking);
  std::uint64_t sample = 0;
  const int calls = tenken::batch_of(MPI_COMM_WORLD, [&](int n) {
    lane.room(n);
    lane.write(++sample, n);
    lane.round_trips(n);
  });
  std::vector<std::byte> buffer(static_cast<std::size_t>(size));
  const auto hot = [&] {
    for (int i = 0; i < calls; ++i) {
      const auto send = [&] { MPI_Send(buffer.data(), static_cast<int>(size), MPI_BYTE, partner, 9, MPI_COMM_WORLD); };
      if (lane.starts()) send();
      MPI_Recv(buffer.data(), static_cast<int>(size), MPI_BYTE, partner, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!lane.starts()) send();
    }
  };
  // One form in all rounds, then the next: what is sent in between would take the hot buffer out of the caches.
  const tenken::Clock clock;
  const double us = clock.ns_per_tick() / 1000 / (2.0 * calls);
  std::int64_t wrong = 0;
  const auto timed = [&](const char* name, const auto& before, const auto& run, const auto& after) {
    std::vector<double> ticks;
    for (int round = -1; round < rounds; ++round) {
      before();
      MPI_Barrier(MPI_COMM_WORLD);
      lane.meet();
      const std::int64_t begin = tenken::ticks_now();
      run();
      if (round >= 0) ticks.push_back(static_cast<double>(tenken::ticks_now() - begin));
      after();
    }
    if (rank == 0)
      std::printf("\"%s_us\": %.6f, \"%s_least_us\": %.6f, ", name, tenken::median(ticks) * us, name,
                  *std::min_element(ticks.begin(), ticks.end()) * us);
  };
  const auto nothing = [] {};
  const auto trips = [&] { lane.round_trips(calls); };
  if (rank == 0) std::printf("{");
  timed(
      "fresh", [&] { ++sample, lane.starts() ? lane.write(sample, calls) : nothing(); }, trips,
      [&] { wrong += lane.starts() ? lane.wrong_echo(sample, calls) : lane.wrong(sample, calls); });
  timed("again", nothing, trips, nothing);
  timed("hot", nothing, hot, nothing);
  if (rank == 0) std::printf("\"calls\": %d, \"wrong\": %lld}\n", calls, static_cast<long long>(wrong));
  MPI_Finalize();
}
