#include "grid.hpp"

#include <algorithm>

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

// Columns ascend among own cells, those of others follow.
Csr<double> matrix_of(const Partition<3>& block, const Numbering<3>& numbering) {
  const auto count = [&](std::int64_t row) {
    std::int64_t entries = 0;
    for_neighbours(block, coordinates(row, block.extents()), [&](const Index<3>&) { ++entries; });
    return entries;
  };
  return make_csr<double>(block.volume(), numbering.items(), count,
                          [&](std::int64_t row, std::int32_t* column, double* value) {
                            std::int32_t* const first = column;
                            for_neighbours(block, coordinates(row, block.extents()),
                                           [&](const Index<3>& other) { *column++ = numbering.item(other); });
                            std::sort(first, column);
                            for (std::int32_t* at = first; at < column; ++at) *value++ = *at == row ? points - 1 : -1;
                          });
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
