#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>

#include "base/random.hpp"
#include "parallel/batch.hpp"

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void check_same_everywhere(int batch) {
  int least = batch;
  int most = batch;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(least == most);
}

// Tries as a busy node shows them, from a formula: a call lasts `call_s`, and a part of the tries is interrupted.
struct BusyNode {
  double call_s;
  double part;  // of the tries
  tenken::RandomStream random;
  std::uint64_t draws;

  double operator()(int calls) {
    const bool interrupted = random.uniform(draws++) < part;
    const double lost_s = 50e-6 + 2e-3 * random.uniform(draws++);
    return calls * call_s + (interrupted ? lost_s : 0);
  }
};

}  // namespace

TEST_CASE("interruptions of most tries do not choose the batch") {
  for (const double call_s : {0.1e-6, 0.4e-6, 3e-6, 20e-6, 90e-6}) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      BusyNode node{call_s, 0.7, {7, seed}, 0};
      const int batch = tenken::batch_by(std::ref(node));
      CHECK(batch * call_s >= 90e-6);
      CHECK((batch - 1) * call_s <= 110e-6);
    }
  }
}

TEST_CASE("where all tries of a batch are interrupted, the shorter one before it tells how long a call is") {
  for (const int bad : {4, 16, 64, 256}) {
    const int batch = tenken::batch_by([&](int calls) { return calls * 0.4e-6 + (calls >= bad ? 4e-3 : 0); });
    CHECK(batch >= 250);
    CHECK(batch <= 251);  // 100 us / 0.4 us, rounded up
  }
}

TEST_CASE("long calls are not tried more often than is needed") {
  int tries = 0;
  CHECK(tenken::batch_by([&](int calls) { return ++tries, calls * 0.1; }) == 1);
  CHECK(tries == 5);
  std::map<int, int> of;  // by calls: short ones once, the one that is believed often
  CHECK(tenken::batch_by([&](int calls) { return ++of[calls], calls * 0x1p-20; }) == 105);
  CHECK(of == std::map<int, int>{{1, 1}, {4, 1}, {16, 1}, {64, 25}});
}

TEST_CASE("a long call is timed alone, even where it is long on one rank only") {
  const int batch = tenken::batch_of(MPI_COMM_WORLD, [](int) {
    if (rank_of(MPI_COMM_WORLD) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  CHECK(batch == 1);
  check_same_everywhere(batch);
}

TEST_CASE("the batch of calls that take no time is bounded") {
  const int batch = tenken::batch_of(MPI_COMM_WORLD, [](int) {});
  CHECK(batch >= 1);
  CHECK(batch <= 4096);
  check_same_everywhere(batch);
}
