// Exchange against hand-written persistent requests, in turn:
//
//   mpiexec -n RANKS exchange_speed BYTES EXCHANGES ROUNDS
//
// Every rank sends a face of BYTES to each of its nearest ranks, by number and around the end, six at most: 7 ranks for
// six faces. Faces are runs of a field, bound (they travel from where they lie) or packed into messages. A round is a
// burst of EXCHANGES of each of the four. Printed by rank 0, one JSON object: nanoseconds of one exchange, medians over
// the rounds of the slowest rank.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>

#include "base/error.hpp"
#include "in_turn.hpp"
#include "parallel/exchange.hpp"

namespace {

using namespace tenken;

// The field holds the outgoing faces, then the incoming ones, one for each neighbour, in doubles.
struct Faces {
  std::vector<int> ranks;
  std::int32_t length;

  std::int32_t outgoing(std::size_t face) const { return static_cast<std::int32_t>(face) * length; }
  std::int32_t incoming(std::size_t face) const { return outgoing(ranks.size() + face); }
  Lists lists() const {
    Lists lists;
    lists.items = std::int64_t{outgoing(2 * ranks.size())};
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      Neighbour one{ranks[i], std::vector<std::int32_t>(static_cast<std::size_t>(length)), {}};
      one.receive = one.send;
      std::iota(one.send.begin(), one.send.end(), outgoing(i));
      std::iota(one.receive.begin(), one.receive.end(), incoming(i));
      lists.neighbours.push_back(std::move(one));
    }
    return lists;
  }
};

Faces make_faces(int rank, int ranks, std::int32_t length) {
  std::set<int> near;
  for (int step = 1; step <= 3; ++step) near.insert({(rank + step) % ranks, (rank + 3 * ranks - step) % ranks});
  near.erase(rank);
  return {{near.begin(), near.end()}, length};
}

// As one would write it: all receives and sends in one array, started and waited for at once.
class ByHand {
 public:
  ByHand(const Faces& faces, double* field, bool packed) : faces_(faces), field_(field), packed_(packed) {
    const std::size_t n = faces.ranks.size();
    if (packed)
      memory_ = Buffer<double>(2 * n * static_cast<std::size_t>(faces.length), Pages::any, "messages by hand");
    double* const messages = packed ? memory_.data() : field;
    for (std::size_t i = 0; i < n; ++i) {
      MPI_Recv_init(messages + faces.incoming(i), faces.length, MPI_DOUBLE, faces.ranks[i], 0, MPI_COMM_WORLD,
                    &requests_.emplace_back());
    }
    for (std::size_t i = 0; i < n; ++i) {
      MPI_Send_init(messages + faces.outgoing(i), faces.length, MPI_DOUBLE, faces.ranks[i], 0, MPI_COMM_WORLD,
                    &requests_.emplace_back());
    }
  }
  ~ByHand() {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;

  void run() {
    const std::size_t bytes = static_cast<std::size_t>(faces_.length) * sizeof(double);
    for (std::size_t i = 0; packed_ && i < faces_.ranks.size(); ++i) {
      std::memcpy(memory_.data() + faces_.outgoing(i), field_ + faces_.outgoing(i), bytes);
    }
    MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; packed_ && i < faces_.ranks.size(); ++i) {
      std::memcpy(field_ + faces_.incoming(i), memory_.data() + faces_.incoming(i), bytes);
    }
  }

 private:
  const Faces& faces_;
  double* field_;
  bool packed_;
  Buffer<double> memory_;
  std::vector<MPI_Request> requests_;
};

void run(int argc, char** argv) {
  const auto number = [&](int at) { return argc == 4 ? std::atoi(argv[at]) : 0; };
  const int bytes = number(1), exchanges = number(2), rounds = number(3);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2 || bytes < 8 || exchanges < 1 || rounds < 1) {
    refuse("usage: mpiexec -n RANKS exchange_speed BYTES EXCHANGES ROUNDS, with 2 ranks and 8 bytes at least");
  }
  const Faces faces = make_faces(rank, ranks, bytes / 8);
  const Lists lists = faces.lists();
  Buffer<double> field(static_cast<std::size_t>(lists.items), Pages::any, "faces");
  Exchange bound(MPI_COMM_WORLD, lists, {{sizeof(double), field.data()}});
  Exchange packed(MPI_COMM_WORLD, lists, {{sizeof(double)}});
  ByHand by_hand(faces, field.data(), false), by_hand_packed(faces, field.data(), true);
  const auto exchange = [&](Exchange& e) {
    e.pack(0, field.data());
    e.start();
    e.wait_incoming();
    e.unpack(0, field.data());
    e.wait_outgoing();
  };
  const auto burst = [&](const auto& action) {
    return [&action, exchanges] {
      for (int i = 0; i < exchanges; ++i) action();
    };
  };
  const auto run_bound = [&] { exchange(bound); };
  const auto run_bound_by_hand = [&] { by_hand.run(); };
  const auto run_packed = [&] { exchange(packed); };
  const auto run_packed_by_hand = [&] { by_hand_packed.run(); };

  // Each really moves every face.
  double count = 0;
  const std::size_t n = faces.ranks.size() * static_cast<std::size_t>(faces.length);
  for (const std::function<void()>& action :
       {std::function<void()>(run_bound), {run_bound_by_hand}, {run_packed}, {run_packed_by_hand}}) {
    count += 100;
    for (std::size_t i = 0; i < 2 * n; ++i) field[i] = i < n ? count + rank : -1;
    action();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t face = i / static_cast<std::size_t>(faces.length);
      if (field[n + i] != count + faces.ranks[face])
        refuse("a face is not that of the neighbour; this is a mistake here");
    }
  }

  const Clock clock;
  const auto ticks = times_in_turn<4>(
      rounds, {burst(run_bound), burst(run_bound_by_hand), burst(run_packed), burst(run_packed_by_hand)},
      [] { MPI_Barrier(MPI_COMM_WORLD); });
  const char* const names[] = {"bound", "bound_by_hand", "packed", "packed_by_hand"};
  if (rank == 0)
    std::printf("{\"ranks\": %d, \"faces\": %zu, \"bytes\": %d", ranks, faces.ranks.size(), 8 * faces.length);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    std::vector<double> slowest(ticks[i].size());
    MPI_Reduce(ticks[i].data(), slowest.data(), rounds, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf(", \"%s\": %.1f", names[i], median(slowest) * clock.ns_per_tick() / exchanges);
  }
  if (rank == 0) std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const UserError& error) {
    std::fprintf(stderr, "exchange_speed: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
