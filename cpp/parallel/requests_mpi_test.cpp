// Messages through the memory of the sender bring the same bytes as messages of MPI.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "parallel/halo.hpp"
#include "parallel/neighbour_class.hpp"
#include "parallel/requests.hpp"
#include "parallel/route_table.hpp"
#include "testing/world.hpp"

using namespace tenken;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

namespace {

std::byte content(int from, int exchange, std::size_t place) {
  return static_cast<std::byte>(37 * from + 11 * exchange + static_cast<int>(place % 251));
}

// Two messages to each neighbour of a ring: one from the memory of the requests, one from elsewhere.
class Ring {
 public:
  Ring(Through through, std::size_t bytes)
      : bytes_(bytes), requests_(MPI_COMM_WORLD, through), elsewhere_(2 * bytes), incoming_(4 * bytes) {
    inside_ = requests_.memory(2 * bytes, "test");
    for (int side = 0; side < 2; ++side) {
      for (int which = 0; which < 2; ++which) {
        requests_.receive(neighbour(side), tag(1 - side, which), into(side, which), bytes);
        requests_.send(neighbour(side), tag(side, which), from(side, which), bytes);
      }
    }
    requests_.complete();
  }

  Requests& requests() { return requests_; }
  int neighbour(int side) const { return (world_rank() + (side == 0 ? world_ranks() - 1 : 1)) % world_ranks(); }
  void fill(int exchange) {
    for (int side = 0; side < 2; ++side) {
      for (int which = 0; which < 2; ++which) {
        for (std::size_t i = 0; i < bytes_; ++i) {
          from(side, which)[i] = content(world_rank(), exchange + 100 * side + 50 * which, i);
        }
      }
    }
  }
  std::size_t wrong(int exchange) {
    std::size_t count = 0;
    for (int side = 0; side < 2; ++side) {
      for (int which = 0; which < 2; ++which) {
        for (std::size_t i = 0; i < bytes_; ++i) {
          const std::byte expected = content(neighbour(side), exchange + 100 * (1 - side) + 50 * which, i);
          count += into(side, which)[i] == expected ? 0 : 1;
        }
      }
    }
    return count;
  }

 private:
  static int tag(int side, int which) { return 2 * side + which; }
  std::byte* from(int side, int which) {
    std::byte* const memory = which == 0 ? inside_ : elsewhere_.data();
    return memory + static_cast<std::size_t>(side) * bytes_;
  }
  std::byte* into(int side, int which) {
    return incoming_.data() + static_cast<std::size_t>(2 * side + which) * bytes_;
  }

  std::size_t bytes_;
  Requests requests_;
  std::vector<std::byte> elsewhere_, incoming_;
  std::byte* inside_ = nullptr;
};

// A table in which `staged` takes so many microseconds for messages of any size to any neighbour; packed ones take 1.
RouteTable table_of(double staged) {
  std::string text;
  for (int near = 0; near < near_classes; ++near) {
    for (std::int64_t bytes = 16; bytes < 1'000'000; bytes *= 8) {
      text +=
          route_text(route_origin(Tree("/")), {static_cast<Near>(near), bytes, 1, {1, 1, 1, 1, 1, staged}}, "", "", "");
    }
  }
  return {text, "test", route_origin(Tree("/"))};
}

TEST_CASE("all bytes arrive in every exchange, by messages and through memory") {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{17}, std::size_t{4096}, std::size_t{200'000}}) {
    for (const Through through : {Through::messages, Through::memory}) {
      Ring ring(through, bytes);
      CHECK(ring.requests().messages() == 4);
      CHECK(ring.requests().bytes() == static_cast<std::int64_t>(4 * bytes));
      CHECK(ring.requests().through_memory() == (through == Through::memory ? 2 : 0));
      for (int exchange = 0; exchange < 40; ++exchange) {
        ring.fill(exchange);
        ring.requests().start();
        // Ranks wait in either order, and are late in turn.
        if (exchange % 10 == world_rank()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (exchange % 2 == 1) ring.requests().wait_outgoing();
        ring.requests().wait_incoming();
        CHECK(ring.wrong(exchange) == 0);
        if (exchange % 2 == 0) ring.requests().wait_outgoing();
      }
    }
  }
}

TEST_CASE("what was sent may be written at once after wait_outgoing, however late the receiver copies") {
  Ring ring(Through::memory, 4096);
  for (int exchange = 0; exchange < 20; ++exchange) {
    ring.fill(exchange);
    ring.requests().start();
    if (world_rank() % 2 == exchange % 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ring.requests().wait_incoming();
    const std::size_t wrong = ring.wrong(exchange);
    ring.requests().wait_outgoing();
    ring.fill(exchange + 7);
    CHECK(wrong == 0);
    CHECK(ring.wrong(exchange) == 0);
  }
}

TEST_CASE("the table of routes decides, and faces have the same bits by either way") {
  std::vector<std::byte> before;
  const std::int64_t none = messages_through_memory();
  for (const double staged : {0.0, 0.5, 0.96, 2.0}) {
    if (staged > 0) use_routes(table_of(staged));
    const Decomposition block({16, 16, 16, 16}, {1, 1, 1, world_ranks()}, world_rank());
    const std::int64_t earlier = messages_through_memory();
    Halo halo(MPI_COMM_WORLD, block, {64, 64, 64, 1000});
    const bool expected = staged == 0.5 && world_ranks() > 1;  // 0.96 of the time is a tie, which messages win
    CHECK(messages_through_memory() - earlier == (expected ? 2 : 0));
    for (int exchange = 0; exchange < 3; ++exchange) {
      for (int side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < 1000; ++i) {
          halo.outgoing(3, Side(side))[i] = content(world_rank(), exchange + side, i);
        }
      }
      halo.start();
      halo.wait_incoming();
      std::vector<std::byte> got(halo.incoming(3, Side::lower), halo.incoming(3, Side::lower) + 1000);
      got.insert(got.end(), halo.incoming(3, Side::upper), halo.incoming(3, Side::upper) + 1000);
      halo.wait_outgoing();
      if (exchange == 2 && before.empty()) before = got;
      if (exchange == 2) CHECK(got == before);
    }
  }
  use_routes(std::nullopt);
  CHECK(routes_in_use() == nullptr);
  CHECK(messages_through_memory() - none == (world_ranks() > 1 ? 2 : 0));
}

}  // namespace
