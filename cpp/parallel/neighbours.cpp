#include "parallel/neighbours.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/error.hpp"

namespace tenken {

namespace {

// The sentence of the first rank that has one, refused on all.
void refuse_together(MPI_Comm comm, const std::string& sentence) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = sentence.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  auto length = static_cast<int>(sentence.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  std::string said = sentence;
  said.resize(static_cast<std::size_t>(length));
  MPI_Bcast(said.data(), length, MPI_CHAR, first, comm);
  refuse(said);
}

std::string outside(const std::vector<std::int32_t>& list, std::int64_t items, const std::string& what) {
  for (const std::int32_t i : list) {
    if (i < 0 || i >= items) {
      return what + " item " + std::to_string(i) + ", but it has the items 0 to " + std::to_string(items - 1) +
             "; correct its list";
    }
  }
  return "";
}

std::string local_error(const Lists& lists, int rank, int ranks) {
  const std::string me = "rank " + std::to_string(rank);
  std::set<int> named;
  for (const Neighbour& one : lists.neighbours) {
    const std::string other = "rank " + std::to_string(one.rank);
    if (one.rank == rank) return me + " names itself as a neighbour; give copies inside a rank as wraps";
    if (one.rank < 0 || one.rank >= ranks) {
      return me + " names " + other + " as a neighbour, but the ranks are 0 to " + std::to_string(ranks - 1) +
             "; correct its list";
    }
    if (!named.insert(one.rank).second) return me + " names " + other + " twice as a neighbour; join the two lists";
    std::string error = outside(one.send, lists.items, me + " sends to " + other);
    if (error.empty()) error = outside(one.receive, lists.items, me + " receives from " + other);
    if (!error.empty()) return error;
  }
  if (lists.wrap_from.size() != lists.wrap_to.size()) {
    return me + " copies " + std::to_string(lists.wrap_from.size()) + " items to " +
           std::to_string(lists.wrap_to.size()) + " places; give wraps of equal length";
  }
  const std::string error = outside(lists.wrap_from, lists.items, me + " copies from");
  return error.empty() ? outside(lists.wrap_to, lists.items, me + " copies to") : error;
}

// Calls use(cell) for all cells from first to last (included), x fastest.
template <std::size_t n, class Use>
void for_cells(const Index<n>& first, const Index<n>& last, const Use& use) {
  Index<n> extents;
  for (std::size_t d = 0; d < n; ++d) extents[d] = last[d] - first[d] + 1;
  for (std::int64_t p = 0; p < product(extents); ++p) {
    Index<n> cell = coordinates(p, extents);
    for (std::size_t d = 0; d < n; ++d) cell[d] += first[d];
    use(cell);
  }
}

// Calls use(step) for the 3^n - 1 directions, in the same order on every rank.
template <std::size_t n, class Use>
void for_directions(const Use& use) {
  Index<n> lowest, highest;
  lowest.fill(-1);
  highest.fill(1);
  for_cells<n>(lowest, highest, [&](const Index<n>& step) {
    if (step != Index<n>{}) use(step);
  });
}

template <std::size_t n>
Index<n> opposite(Index<n> step) {
  for (int& each : step) each = -each;
  return step;
}

Neighbour& neighbour_of(Lists& lists, int rank) {
  const auto found = std::find_if(lists.neighbours.begin(), lists.neighbours.end(),
                                  [rank](const Neighbour& one) { return one.rank == rank; });
  return found != lists.neighbours.end() ? *found : lists.neighbours.emplace_back(Neighbour{rank, {}, {}});
}

}  // namespace

void require_valid(MPI_Comm comm, const Lists& lists) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  refuse_together(comm, local_error(lists, rank, ranks));
  std::vector<std::int64_t> sent(static_cast<std::size_t>(ranks)), expected(sent), arriving(sent);
  for (const Neighbour& one : lists.neighbours) {
    sent[static_cast<std::size_t>(one.rank)] = static_cast<std::int64_t>(one.send.size());
    expected[static_cast<std::size_t>(one.rank)] = static_cast<std::int64_t>(one.receive.size());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT64_T, arriving.data(), 1, MPI_INT64_T, comm);
  const auto differs = std::mismatch(arriving.begin(), arriving.end(), expected.begin());
  std::string error;
  if (differs.first != arriving.end()) {
    error = "rank " + std::to_string(differs.first - arriving.begin()) + " sends " + std::to_string(*differs.first) +
            " items to rank " + std::to_string(rank) + ", which expects " + std::to_string(*differs.second) +
            "; make the two lists equally long";
  }
  refuse_together(comm, error);
}

template <std::size_t n>
Index<n> padded_extents(const Partition<n>& block, int width) {
  Index<n> extents = block.extents();
  for (int& each : extents) each += 2 * width;
  return extents;
}

template <std::size_t n>
std::int64_t padded_item(const Partition<n>& block, int width, const Index<n>& cell) {
  Index<n> at = cell;
  for (int& each : at) each += width;
  return position(at, padded_extents(block, width));
}

template <std::size_t n>
Lists halo_lists(const Partition<n>& block, int width, Reach reach) {
  for (std::size_t d = 0; d < n; ++d) {
    const int thinnest = block.cells()[d] / block.grid()[d];
    if ((block.divided(static_cast<int>(d)) || block.periodic()[d]) && thinnest < width) {
      refuse("a halo of " + std::to_string(width) + " cells does not fit blocks of " + std::to_string(thinnest) +
             " cells in " + "xyzt"[d] + "; use fewer ranks there, or more cells");
    }
  }
  Lists lists;
  lists.items = product(padded_extents(block, width));
  const auto item = [&](const Index<n>& cell) { return static_cast<std::int32_t>(padded_item(block, width, cell)); };
  for_directions<n>([&](const Index<n>& way) {
    int steps = 0;
    for (const int each : way) steps += each != 0;
    if (reach == Reach::faces && steps > 1) return;
    // What goes that way leaves from this side, and comes in from the opposite one: both ranks of a pair list the ways
    // in the same order, so that several between the same two need no more than one message.
    Index<n> first_out, last_out, first_in, last_in;
    for (std::size_t d = 0; d < n; ++d) {
      const int extent = block.extents()[d];
      first_out[d] = way[d] > 0 ? extent - width : 0;
      last_out[d] = way[d] < 0 ? width - 1 : extent - 1;
      first_in[d] = way[d] > 0 ? -width : way[d] < 0 ? extent : 0;
      last_in[d] = way[d] > 0 ? -1 : way[d] < 0 ? extent + width - 1 : extent - 1;
    }
    const int to = block.neighbour(way);
    const int from = block.neighbour(opposite(way));
    const int me = static_cast<int>(position(block.place(), block.grid()));
    const auto append = [&](std::vector<std::int32_t>& list, const Index<n>& first, const Index<n>& last) {
      for_cells<n>(first, last, [&](const Index<n>& cell) { list.push_back(item(cell)); });
    };
    if (to == me) append(lists.wrap_from, first_out, last_out);
    if (from == me) append(lists.wrap_to, first_in, last_in);
    if (to != me && to != no_rank) append(neighbour_of(lists, to).send, first_out, last_out);
    if (from != me && from != no_rank) append(neighbour_of(lists, from).receive, first_in, last_in);
  });
  return lists;
}

template <std::size_t n>
Lists shared_node_lists(const Partition<n>& elements) {
  Index<n> nodes = elements.extents();
  for (std::size_t d = 0; d < n; ++d) {
    if (elements.periodic()[d]) {
      refuse(std::string("nodes of a mesh that is periodic in ") + "xyzt"[d] +
             " cannot be listed as shared; use a mesh with ends, or lists of your own");
    }
    ++nodes[d];
  }
  Lists lists;
  lists.items = product(nodes);
  for_directions<n>([&](const Index<n>& way) {
    const int rank = elements.neighbour(way);
    if (rank == no_rank) return;
    Index<n> first, last;
    for (std::size_t d = 0; d < n; ++d) {
      first[d] = way[d] > 0 ? nodes[d] - 1 : 0;
      last[d] = way[d] < 0 ? 0 : nodes[d] - 1;
    }
    Neighbour one{rank, {}, {}};
    for_cells<n>(first, last,
                 [&](const Index<n>& node) { one.send.push_back(static_cast<std::int32_t>(position(node, nodes))); });
    one.receive = one.send;
    lists.neighbours.push_back(one);
  });
  return lists;
}

#define TENKEN_FOR_DIMENSIONS(n)                                                \
  template Lists halo_lists(const Partition<n>&, int, Reach);                   \
  template Index<n> padded_extents(const Partition<n>&, int);                   \
  template std::int64_t padded_item(const Partition<n>&, int, const Index<n>&); \
  template Lists shared_node_lists(const Partition<n>&);
TENKEN_FOR_DIMENSIONS(1)
TENKEN_FOR_DIMENSIONS(2)
TENKEN_FOR_DIMENSIONS(3)
TENKEN_FOR_DIMENSIONS(4)
#undef TENKEN_FOR_DIMENSIONS

}  // namespace tenken
