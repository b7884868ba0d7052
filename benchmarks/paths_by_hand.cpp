// Two paths of checks against the same written otherwise, in turn:
//
//   mpiexec -n 2 paths_by_hand N BYTES EXCHANGES ROUNDS
//
// Route `pack` of halo_paths against cpp/parallel/halo with the same faces, of a cube of N^3 values. Mode `funnelled`
// of mixed_mode (one thread a rank, a halo of BYTES each way) against a loop of the same by hand. A round is a burst of
// EXCHANGES of each of the four. Printed by rank 0, one JSON object: nanoseconds of one exchange of the slower rank,
// least quarter, median and greatest quarter over the rounds.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "checks/halo_paths/rings.hpp"
#include "checks/mixed_mode/modes.hpp"
#include "in_turn.hpp"
#include "parallel/halo.hpp"

namespace {

using halo_paths::Face;
using halo_paths::Side;

// The faces of a cube by cpp/parallel/halo, in a ring of two ranks.
class ByHalo {
 public:
  ByHalo(halo_paths::Cubes& cubes, Face face, int rank, int ranks)
      : cubes_(cubes),
        face_(face),
        halo_(cubes.comm(), tenken::Decomposition({1, 1, 1, ranks}, {1, 1, 1, ranks}, rank),
              {0, 0, 0, static_cast<std::size_t>(8 * cubes.n() * cubes.n())}) {}

  void run() {
    const auto at = [&](Side side) { return side == Side::lower ? tenken::Side::lower : tenken::Side::upper; };
    for (const Side side : {Side::lower, Side::upper}) {
      halo_paths::pack(cubes_.mine(), source(face_, side, cubes_.n()),
                       reinterpret_cast<double*>(halo_.outgoing(3, at(side))));
    }
    halo_.start();
    halo_.wait_incoming();
    for (const Side side : {Side::lower, Side::upper}) {
      halo_paths::unpack(reinterpret_cast<const double*>(halo_.incoming(3, at(side))), cubes_.mine(),
                         halo(face_, side, cubes_.n()));
    }
    halo_.wait_outgoing();
  }

 private:
  halo_paths::Cubes& cubes_;
  Face face_;
  tenken::Halo halo_;
};

// A region of threads; each writes its share, the master thread exchanges, each reads.
std::uint64_t funnelled_by_hand(std::vector<std::uint64_t>& out, std::vector<std::uint64_t>& in, int neighbour,
                                int exchanges) {
  const std::size_t words = out.size() / 2;
  const int bytes = static_cast<int>(words * sizeof(std::uint64_t));
  std::uint64_t sums = 0;
#pragma omp parallel reduction(+ : sums)
  for (int i = 0; i < exchanges; ++i) {
    for (std::size_t d = 0; d < 2; ++d)
      mixed_mode::write(std::span(out).subspan(d * words, words), {i, i, neighbour, 0, static_cast<int>(d)});
#pragma omp barrier
#pragma omp master
    {
      MPI_Request requests[4];
      MPI_Irecv(in.data(), bytes, MPI_BYTE, neighbour, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(in.data() + words, bytes, MPI_BYTE, neighbour, 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend(out.data(), bytes, MPI_BYTE, neighbour, 0, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend(out.data() + words, bytes, MPI_BYTE, neighbour, 1, MPI_COMM_WORLD, &requests[3]);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
#pragma omp barrier
    sums += mixed_mode::sum(in);
  }
  return sums;
}

void run(int argc, char** argv) {
  const auto number = [&](int at) { return argc == 5 ? std::atoi(argv[at]) : 0; };
  const int n = number(1), bytes = number(2), exchanges = number(3), rounds = number(4);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2 || n < 4 || bytes < 8 || exchanges < 1 || rounds < 4) {
    tenken::refuse("usage: mpiexec -n 2 paths_by_hand N BYTES EXCHANGES ROUNDS, with N and ROUNDS of 4 at least");
  }
  halo_paths::Cubes cubes(MPI_COMM_WORLD, n);
  for (std::int64_t i = 0; i < std::int64_t{n} * n * n; ++i) cubes.mine()[i] = static_cast<double>(i + 7 * rank);
  const auto words = static_cast<std::size_t>(bytes) / sizeof(std::uint64_t);
  const auto route = make_route(halo_paths::Kind::pack, cubes, {Face::xz}, halo_paths::ring_of_all(rank, ranks), {});
  ByHalo by_halo(cubes, Face::xz, rank, ranks);
  mixed_mode::Modes modes(MPI_COMM_WORLD, 1, {.pattern = mixed_mode::Pattern::halo, .words = words});
  std::vector<std::uint64_t> out(2 * words), in(2 * words);
  std::int64_t sample = 0;
  volatile std::uint64_t sums = 0;
  const tenken::Clock clock;
  const auto ticks = tenken::times_in_turn<4>(rounds,
                                              {[&] {
                                                 for (int i = 0; i < exchanges; ++i)
                                                   route->start(++sample), route->finish(sample);
                                               },
                                               [&] {
                                                 for (int i = 0; i < exchanges; ++i) by_halo.run();
                                               },
                                               [&] { modes.run(mixed_mode::Mode::funnelled, ++sample, exchanges); },
                                               [&] { sums = sums + funnelled_by_hand(out, in, 1 - rank, exchanges); }},
                                              [] { MPI_Barrier(MPI_COMM_WORLD); });
  const char* const names[] = {"pack", "halo", "funnelled", "by_hand"};
  if (rank == 0) std::printf("{\"n\": %d, \"bytes\": %d", n, bytes);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    std::vector<double> slower(ticks[i].size());
    MPI_Reduce(ticks[i].data(), slower.data(), rounds, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    std::sort(slower.begin(), slower.end());
    const auto part = [&](std::size_t quarter) {
      return slower[quarter * (slower.size() - 1) / 4] * clock.ns_per_tick() / exchanges;
    };
    if (rank == 0) std::printf(", \"%s\": [%.1f, %.1f, %.1f]", names[i], part(1), part(2), part(3));
  }
  if (rank == 0) std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    run(argc, argv);
  } catch (const tenken::UserError& error) {
    std::fprintf(stderr, "paths_by_hand: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
