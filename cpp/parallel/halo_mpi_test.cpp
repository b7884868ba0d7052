#include <doctest/doctest.h>

#include "parallel/halo.hpp"

using namespace tenken;

namespace {

// What a face carries: who sends it, which face it is, in which exchange, and where in the face.
struct Label {
  int rank, dimension, side, exchange, place;
  bool operator==(const Label&) const = default;
};

constexpr int places = 7;  // of every face

Label* labels(std::byte* face) { return reinterpret_cast<Label*>(face); }

void fill(Halo& halo, int rank, int exchange) {
  for (int d = 0; d < dimensions; ++d) {
    for (int side = 0; side < 2; ++side) {
      for (int i = 0; i < places; ++i) labels(halo.outgoing(d, Side(side)))[i] = {rank, d, side, exchange, i};
    }
  }
}

void check(Halo& halo, const Decomposition& block, int exchange) {
  for (int d = 0; d < dimensions; ++d) {
    for (int side = 0; side < 2; ++side) {
      const int from = block.neighbour(d, Side(side));
      for (int i = 0; i < places; ++i) {
        CHECK(labels(halo.incoming(d, Side(side)))[i] == Label{from, d, 1 - side, exchange, i});
      }
    }
  }
}

}  // namespace

TEST_CASE("every face comes from the right neighbour, from its other side, in every exchange and grid") {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr std::size_t bytes = places * sizeof(Label);
  for (int first = 0; first < dimensions; ++first) {
    for (int second = 0; second < dimensions; ++second) {
      // Two ranks in a dimension make both faces travel between the same pair.
      Index4 grid{1, 1, 1, 1};
      if (ranks > 2) {
        grid[first] = 2;
        grid[second] *= ranks / 2;
      } else {
        grid[first] = ranks;
      }
      const Decomposition block({16, 16, 16, 16}, grid, rank);
      Halo halo(MPI_COMM_WORLD, block, {bytes, bytes, bytes, bytes});
      std::int64_t faces = 0;
      for (int d = 0; d < dimensions; ++d) faces += block.divided(d) ? 2 : 0;
      CHECK(halo.messages() == faces);
      CHECK(halo.bytes() == faces * static_cast<std::int64_t>(bytes));
      for (int exchange = 0; exchange < 3; ++exchange) {
        fill(halo, rank, exchange);
        halo.start();
        halo.wait_incoming();
        check(halo, block, exchange);
        halo.wait_outgoing();
      }
    }
  }
}

TEST_CASE("faces of no size are not sent") {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Decomposition block({16, 16, 16, 16}, {1, 1, 1, ranks}, rank);
  Halo halo(MPI_COMM_WORLD, block, {64, 64, 64, 0});
  CHECK(halo.messages() == 0);
  halo.start();
  halo.wait_incoming();
  halo.wait_outgoing();
}
