#include "grid.hpp"

#include <algorithm>
#include <array>

namespace tenken::hpcg {

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

std::int64_t sum_over(MPI_Comm comm, std::int64_t x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT64_T, MPI_SUM, comm);
  return x;
}

// Of those that touch a cell, itself included, in the order of their numbers.
template <class Use>
void for_neighbours(const Partition<3>& block, const Index<3>& own, const Use& use) {
  for (int at = 0; at < points; ++at) {
    const Index<3> other{own[0] + at % 3 - 1, own[1] + at / 3 % 3 - 1, own[2] + at / 9 - 1};
    bool there = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const int global = other[d] + block.offset()[d];
      there = there && global >= 0 && global < block.cells()[d];
    }
    if (there) use(other);
  }
}

// How many cells touch a cell, itself included.
std::int64_t neighbours_of(const Partition<3>& block, const Index<3>& own) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const int global = own[d] + block.offset()[d];
    count *= 1 + (global > 0 ? 1 : 0) + (global + 1 < block.cells()[d] ? 1 : 0);
  }
  return count;
}

// Whether all cells that touch a cell are in the block.
bool inside(const Partition<3>& block, const Index<3>& own) {
  bool all = true;
  for (std::size_t d = 0; d < 3; ++d) all = all && own[d] > 0 && own[d] + 1 < block.extents()[d];
  return all;
}

// Columns ascend among own cells, those of others follow.
Csr<double> matrix_of(const Partition<3>& block, const Numbering<3>& numbering) {
  const Index<3>& extents = block.extents();
  std::array<std::int32_t, points> step{};  // to those that touch a cell inside, in the order of their numbers
  for (int at = 0; at < points; ++at) {
    step[static_cast<std::size_t>(at)] = at % 3 - 1 + extents[0] * (at / 3 % 3 - 1 + extents[1] * (at / 9 - 1));
  }
  const auto fill = [&](std::int64_t row, std::int32_t* column, double* value) {
    const Index<3> own = coordinates(row, extents);
    if (inside(block, own)) {
      for (const std::int32_t each : step) *column++ = static_cast<std::int32_t>(row) + each;
      std::fill_n(value, points, -1.0);
      value[points / 2] = points - 1;
      return;
    }
    std::int32_t* const first = column;
    for_neighbours(block, own, [&](const Index<3>& other) { *column++ = numbering.item(other); });
    std::sort(first, column);
    for (std::int32_t* at = first; at < column; ++at) *value++ = *at == row ? points - 1 : -1;
  };
  return make_csr<double>(
      block.volume(), numbering.items(),
      [&](std::int64_t row) { return neighbours_of(block, coordinates(row, extents)); }, fill);
}

}  // namespace

Grid::Grid(MPI_Comm comm, const Index<3>& cells, const Index<3>& ranks)
    : block_(cells, ranks, {false, false, false}, rank_of(comm)),
      numbering_(block_, Reach::corners),
      matrix_(matrix_of(block_, numbering_)),
      global_entries_(sum_over(comm, matrix_.entries())),
      exchange_(comm, numbering_.lists(), {{sizeof(double)}}) {}

Index<3> Grid::cell(std::int64_t row) const {
  Index<3> at = coordinates(row, block_.extents());
  for (std::size_t d = 0; d < 3; ++d) at[d] += block_.offset()[d];
  return at;
}

void Grid::exchange(double* x) {
  exchange_.pack(0, x);
  exchange_.start();
  exchange_.wait_incoming();
  if (!stale_) exchange_.unpack(0, x);
  exchange_.wait_outgoing();
}

}  // namespace tenken::hpcg
