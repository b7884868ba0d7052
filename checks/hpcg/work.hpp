// Flop, compulsory bytes and messages of each part of an iteration on one rank. Flop are those that the rule book
// counts: two an entry and sweep or product, two a number of scalar products and updates, none for moving between
// grids.
#pragma once

#include "cg.hpp"

namespace tenken::hpcg {

inline Work halo_work(const Grid& grid) {
  return {.bytes_read = grid.bytes_received(), .bytes_written = grid.bytes_sent(), .messages = grid.messages()};
}
inline Work spmv_work(const Grid& grid) {
  return csr_work(grid.rows(), grid.columns(), grid.matrix().entries(), sizeof(double));
}
inline Work symgs_work(const Grid& grid) {
  return gauss_seidel_work(grid.rows(), grid.columns(), grid.matrix().entries());
}
// Of the coarser grid's rows: a place and two numbers are read, one is written.
constexpr Work transfer_work(std::int64_t coarse) {
  return {.bytes_read = (4 + 2 * 8) * coarse, .bytes_written = 8 * coarse};
}
constexpr Work product_work(std::int64_t rows, bool of_itself) {
  return of_itself ? norm_work(rows, sizeof(double)) : dot_work(rows, sizeof(double));
}
inline Work reduction_work(int ranks) {
  return ranks == 1 ? Work{} : Work{.bytes_read = 8, .bytes_written = 8, .messages = 1};
}

}  // namespace tenken::hpcg
