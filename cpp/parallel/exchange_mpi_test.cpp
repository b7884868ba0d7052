// Runs on 8 ranks.
//
// Global numbers of cells and nodes are exchanged and compared exactly, in teams of 1, 2, 3, 4, 6 and 8 ranks.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "parallel/exchange.hpp"

using namespace tenken;

namespace {

constexpr std::int64_t untouched = -1;

struct Team {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;
};

// test(team) in teams of 8, of 6 and 2, of 4, 3 and 1 ranks, side by side: ranks that idle take time from the others.
// Where there are not 8 ranks: in one team of all.
template <class Test>
void on_teams(const Test& test) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::vector<int>> cuts{{8}, {6, 2}, {4, 3, 1}};
  if (ranks != 8) cuts = {{ranks}};
  for (const std::vector<int>& sizes : cuts) {
    int first = 0;
    std::size_t mine = 0;
    while (rank >= first + sizes[mine]) first += sizes[mine++];
    Team team{MPI_COMM_NULL, rank - first, sizes[mine]};
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(mine), rank, &team.comm);
    CAPTURE(team.ranks);
    test(team);
    MPI_Comm_free(&team.comm);
  }
}

void exchange(Exchange& e, std::int64_t* field) {
  e.pack(0, field);
  e.start();
  e.wait_incoming();
  e.unpack(0, field);
  e.wait_outgoing();
}

// The global number of a cell that may lie outside of the box: -1 where nothing is received.
template <std::size_t n>
std::int64_t expected_cell(const Partition<n>& block, const Index<n>& cell, Reach reach) {
  Index<n> global;
  int outside = 0;
  for (std::size_t d = 0; d < n; ++d) {
    global[d] = block.offset()[d] + cell[d];
    outside += cell[d] < 0 || cell[d] >= block.extents()[d];
    if (global[d] >= 0 && global[d] < block.cells()[d]) continue;
    if (!block.periodic()[d]) return untouched;
    global[d] = (global[d] + block.cells()[d]) % block.cells()[d];
  }
  return reach == Reach::faces && outside > 1 ? untouched : position(global, block.cells());
}

template <std::size_t n>
void check_halo(const Team& team, const Index<n>& cells, const Periodic<n>& periodic, int width, Reach reach) {
  const Partition<n> block(cells, balanced_grid(cells, team.ranks), periodic, team.rank);
  const Lists lists = halo_lists(block, width, reach);
  Exchange e(team.comm, lists, {{sizeof(std::int64_t)}});
  for (const std::int64_t round : {0, 1}) {  // what was there before must not stand for what was not sent
    std::vector<std::int64_t> field(static_cast<std::size_t>(lists.items), untouched);
    const Index<n> padded = padded_extents(block, width);
    const auto for_all = [&](const auto& use) {
      for (std::int64_t p = 0; p < lists.items; ++p) {
        Index<n> cell = coordinates(p, padded);
        bool own = true;
        for (std::size_t d = 0; d < n; ++d) {
          cell[d] -= width;
          own = own && cell[d] >= 0 && cell[d] < block.extents()[d];
        }
        use(static_cast<std::size_t>(p), cell, own);
      }
    };
    for_all([&](std::size_t p, const Index<n>& cell, bool own) {
      if (own) field[p] = expected_cell(block, cell, reach) + 1000 * round;
    });
    exchange(e, field.data());
    std::int64_t wrong = 0;
    for_all([&](std::size_t p, const Index<n>& cell, bool) {
      const std::int64_t number = expected_cell(block, cell, reach);
      wrong += field[p] != (number == untouched ? untouched : number + 1000 * round);
    });
    CHECK(wrong == 0);
  }
}

template <std::size_t n>
void check_halos(const Team& team, const Index<n>& cells, int width) {
  Periodic<n> all, some;
  for (std::size_t d = 0; d < n; ++d) all[d] = true, some[d] = d % 2 == 0;
  check_halo(team, cells, all, width, Reach::corners);
  check_halo(team, cells, some, width, Reach::faces);
}

template <std::size_t n>
void check_sums(const Team& team, const Index<n>& elements) {
  const Partition<n> block(elements, balanced_grid(elements, team.ranks), {}, team.rank);
  const Lists lists = shared_node_lists(block);
  Index<n> nodes = block.extents(), all_nodes = elements;
  for (std::size_t d = 0; d < n; ++d) ++nodes[d], ++all_nodes[d];
  Exchange e(team.comm, lists, {{sizeof(double)}, {sizeof(float)}});
  // Each element gives 1, and a random number, to each of its nodes.
  std::vector<double> random(static_cast<std::size_t>(lists.items));
  std::vector<float> ones(random.size());
  for (std::int64_t element = 0; element < block.volume(); ++element) {
    for (int corner = 0; corner < 1 << n; ++corner) {
      Index<n> node = coordinates(element, block.extents());
      for (std::size_t d = 0; d < n; ++d) node[d] += corner >> d & 1;
      const auto at = static_cast<std::size_t>(position(node, nodes));
      ones[at] += 1;
      random[at] += RandomStream(9, static_cast<std::uint64_t>(team.rank)).uniform(static_cast<std::uint64_t>(element));
    }
  }
  e.pack(0, random.data());
  e.pack(1, ones.data());
  e.start();
  e.wait_incoming();
  e.add(0, random.data());
  e.add(1, ones.data());
  e.wait_outgoing();

  // All ranks that have a node have the same bits; a node inside has 2^n elements, one on an end half as many.
  // Signed, as the bits of positive numbers are: MPICH 4.0 takes the least of unsigned ones as if they were signed.
  std::vector<std::int64_t> least(static_cast<std::size_t>(product(all_nodes)),
                                  std::numeric_limits<std::int64_t>::max()),
      most(least.size(), 0);
  std::int64_t wrong = 0;
  for (std::int64_t p = 0; p < lists.items; ++p) {
    Index<n> node = coordinates(p, nodes);
    float touching = 1;
    for (std::size_t d = 0; d < n; ++d) {
      node[d] += block.offset()[d];
      touching *= node[d] == 0 || node[d] == elements[d] ? 1.0F : 2.0F;
    }
    wrong += ones[static_cast<std::size_t>(p)] != touching;
    std::int64_t bits = 0;
    std::memcpy(&bits, &random[static_cast<std::size_t>(p)], sizeof bits);
    const auto global = static_cast<std::size_t>(position(node, all_nodes));
    least[global] = most[global] = bits;
  }
  CHECK(wrong == 0);
  const auto count = static_cast<int>(least.size());
  MPI_Allreduce(MPI_IN_PLACE, least.data(), count, MPI_INT64_T, MPI_MIN, team.comm);
  MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_INT64_T, MPI_MAX, team.comm);
  CHECK(least == most);
}

// Which rank has global item g, and whether rank r wants a copy: the same answers on every rank.
int owner(std::uint64_t g, int ranks) { return static_cast<int>(mix64(g) % static_cast<std::uint64_t>(ranks)); }
bool wants(std::uint64_t g, int rank) { return mix64(g * 64 + static_cast<std::uint64_t>(rank) + 7) % 4 == 0; }

std::string refusal(const Team& team, const Lists& lists) {
  try {
    Exchange e(team.comm, lists, {{8}});
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every halo cell holds the number of the right cell, in 1 to 4 dimensions") {
  on_teams([](const Team& team) {
    check_halos<1>(team, {8}, 1);  // one cell on each of 8 ranks
    check_halos<1>(team, {23}, 2);
    check_halos<2>(team, {4, 7}, 1);
    check_halos<3>(team, {2, 3, 4}, 1);
    check_halos<3>(team, {16, 17, 18}, 2);  // no grid leaves blocks thinner than 2
    check_halos<4>(team, {3, 2, 3, 5}, 1);
  });
}

TEST_CASE("a thin box with a rank for each of its cells") {
  on_teams([](const Team& team) { check_halos<3>(team, {1, team.ranks, 1}, 1); });
  on_teams([](const Team& team) { check_halo<3>(team, {4, 6, 5}, {false, false, true}, 1, Reach::corners); });
}

TEST_CASE("nodes shared by blocks of elements become the sum over all of them, with the same bits everywhere") {
  on_teams([](const Team& team) {
    check_sums<1>(team, {8});
    check_sums<2>(team, {5, 4});
    check_sums<3>(team, {2, 3, 4});
    check_sums<4>(team, {2, 3, 2, 2});
  });
}

TEST_CASE("any lists: several fields of any size in one message, ranks with nothing to say included") {
  on_teams([](const Team& team) {
    constexpr std::uint64_t globals = 500;
    // The rank before the last one wants nothing and is asked for nothing; it has no items at all.
    const int silent = team.ranks > 2 ? team.ranks - 2 : team.ranks;
    const auto owner_of = [&](std::uint64_t g) {
      const int rank = owner(g, team.ranks);
      return rank == silent ? 0 : rank;
    };
    const auto wanted = [&](std::uint64_t g, int rank) {
      return rank != silent && rank != owner_of(g) && wants(g, rank);
    };
    Lists lists;
    std::vector<std::uint64_t> global;  // of each item
    std::vector<std::int32_t> item(globals, -1);
    for (std::uint64_t g = 0; g < globals; ++g) {
      if (owner_of(g) != team.rank && !wanted(g, team.rank)) continue;
      item[g] = static_cast<std::int32_t>(global.size());
      global.push_back(g);
    }
    lists.items = static_cast<std::int64_t>(global.size());
    for (int other = 0; other < team.ranks; ++other) {
      Neighbour one{other, {}, {}};
      for (std::uint64_t g = 0; g < globals; ++g) {
        if (owner_of(g) == team.rank && wanted(g, other)) one.send.push_back(item[g]);
        if (owner_of(g) == other && wanted(g, team.rank)) one.receive.push_back(item[g]);
      }
      if (other != team.rank && one.send.size() + one.receive.size() > 0) lists.neighbours.push_back(one);
    }
    Exchange e(team.comm, lists, {{12}, {8}, {4}, {16}});
    struct Twelve {
      std::uint32_t at[3];
    };
    struct Sixteen {
      std::uint64_t at[2];
    };
    const std::size_t n = global.size();
    std::vector<Twelve> a(n);
    std::vector<std::uint64_t> b(n, 999);
    std::vector<std::uint32_t> c(n, 999);
    std::vector<Sixteen> d(n);
    const auto value = [&](std::size_t i) {
      const auto g = static_cast<std::uint32_t>(global[i]);
      return std::tuple{Twelve{g, g + 1, g + 2}, std::uint64_t{g} << 40, 3 * g, Sixteen{g, ~std::uint64_t{g}}};
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (owner_of(global[i]) == team.rank) std::tie(a[i], b[i], c[i], d[i]) = value(i);
    }
    e.pack(0, a.data()), e.pack(1, b.data()), e.pack(2, c.data()), e.pack(3, d.data());
    e.start();
    e.wait_incoming();
    e.unpack(0, a.data()), e.unpack(1, b.data()), e.unpack(2, c.data()), e.unpack(3, d.data());
    e.wait_outgoing();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto [x, y, z, w] = value(i);
      wrong += std::memcmp(&a[i], &x, sizeof x) != 0 || b[i] != y || c[i] != z || std::memcmp(&d[i], &w, sizeof w) != 0;
    }
    CHECK(wrong == 0);
    std::int64_t sending = 0;
    for (const Neighbour& one : lists.neighbours) sending += !one.send.empty();
    CHECK(e.messages() == sending);
  });
}

TEST_CASE("a bound field travels from where it lies") {
  on_teams([](const Team& team) {
    // A ring; both ends of the block are single runs. Packing and unpacking another array must not matter.
    const Partition<1> block({4 * team.ranks}, {team.ranks}, {true}, team.rank);
    std::vector<std::int64_t> field(6, untouched);
    for (std::size_t i = 0; i < 4; ++i) field[i + 1] = 4 * team.rank + static_cast<std::int64_t>(i);
    const Lists lists = halo_lists(block, 1, Reach::faces);
    Exchange e(team.comm, lists, {{sizeof(std::int64_t), field.data()}});
    exchange(e, field.data());
    CHECK(field[0] == (4 * team.rank + 4 * team.ranks - 1) % (4 * team.ranks));
    CHECK(field[5] == (4 * team.rank + 4) % (4 * team.ranks));
  });
}

TEST_CASE("lists that cannot be are refused on every rank with the same sentence") {
  on_teams([](const Team& team) {
    const int next = (team.rank + 1) % team.ranks;
    Lists self{4, {}, {}, {}};
    if (team.rank == team.ranks - 1) self.neighbours = {{team.rank, {0}, {1}}};
    CHECK(refusal(team, self) == "rank " + std::to_string(team.ranks - 1) +
                                     " names itself as a neighbour; give copies inside a rank as wraps");
    Lists nobody{4, {{team.ranks, {0}, {1}}}, {}, {}};
    CHECK(refusal(team, nobody) == "rank 0 names rank " + std::to_string(team.ranks) +
                                       " as a neighbour, but the ranks are 0 to " + std::to_string(team.ranks - 1) +
                                       "; correct its list");
    CHECK(refusal(team, {4, {}, {0, 1}, {2}}) == "rank 0 copies 2 items to 1 places; give wraps of equal length");
    if (team.ranks < 2) return;
    CHECK(refusal(team, {4, {{next, {4}, {}}}, {}, {}}) ==
          "rank 0 sends to rank 1 item 4, but it has the items 0 to 3; correct its list");
    CHECK(refusal(team, {4, {{next, {}, {-1}}}, {}, {}}) ==
          "rank 0 receives from rank 1 item -1, but it has the items 0 to 3; correct its list");
    CHECK(refusal(team, {4, {{next, {0}, {}}, {next, {1}, {}}}, {}, {}}) ==
          "rank 0 names rank 1 twice as a neighbour; join the two lists");
    // Rank 0 sends two items, rank 1 expects one.
    Lists unlike{4, {}, {}, {}};
    if (team.rank == 0) unlike.neighbours = {{1, {0, 1}, {}}};
    if (team.rank == 1) unlike.neighbours = {{0, {}, {3}}};
    CHECK(refusal(team, unlike) == "rank 0 sends 2 items to rank 1, which expects 1; make the two lists equally long");
    // Rank 1 does not know that it is a neighbour.
    if (team.rank == 1) unlike.neighbours.clear();
    CHECK(refusal(team, unlike) == "rank 0 sends 2 items to rank 1, which expects 0; make the two lists equally long");
  });
}
