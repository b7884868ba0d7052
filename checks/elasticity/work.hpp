// Flop, compulsory bytes and messages of each part of an iteration on one rank: each array once a pass.
#pragma once

#include "cg.hpp"

namespace tenken::elasticity {

inline Work halo_work(const System& system) {
  return {.bytes_read = system.bytes_received(), .bytes_written = system.bytes_sent(), .messages = system.messages()};
}

inline Work spmv_work(const Matrix& a) { return block_sell_work(a); }

inline Work precond_work(std::int64_t nodes) { return block_diagonal_work(nodes, 3, sizeof(double)); }

// `arrays`: read in all; 2 are a product of two, 3 that of two and the square of one of them in passes of their own.
constexpr Work dots_work(std::int64_t numbers, int arrays) {
  const Work product = dot_work(numbers, sizeof(double)), square = norm_work(numbers, sizeof(double));
  return arrays == 2 ? product
                     : Work{.flop = product.flop + square.flop, .bytes_read = product.bytes_read + square.bytes_read};
}

constexpr Work updates_work(std::int64_t numbers, int updates) { return axpy_work(updates * numbers, sizeof(double)); }

inline Work reduction_work(int ranks, int numbers) {
  if (ranks == 1) return {};
  const std::int64_t bytes = numbers * std::int64_t{sizeof(double)};
  return {.bytes_read = bytes, .bytes_written = bytes, .messages = 1};
}

// What one iteration touches, on one rank.
inline double working_set_bytes(const System& system) {
  const Matrix& a = system.matrix();
  return static_cast<double>(a.slots()) * 9 * 8 + static_cast<double>(a.indices) * 4 +
         static_cast<double>(a.rows) * 72 + static_cast<double>(system.numbers()) * 8 * Cg::vectors;
}

}  // namespace tenken::elasticity
