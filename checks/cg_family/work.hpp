// Flop, compulsory bytes and messages of each part of an iteration on one rank: in each pass every array once.
#pragma once

#include "family.hpp"
#include "numerics/vectors.hpp"

namespace tenken::cg_family {

inline Work operator+(const Work& a, const Work& b) {
  return {a.flop + b.flop, a.bytes_read + b.bytes_read, a.bytes_written + b.bytes_written, a.messages + b.messages};
}

inline Work halo_work(const System& system) {
  return {.bytes_read = system.bytes_received(), .bytes_written = system.bytes_sent(), .messages = system.messages()};
}

// Of a coupling to another rank: two indices, the value there, and the sum read and written once more.
inline Work spmv_work(const System& system) {
  const std::int64_t n = system.couplings();
  return multiply_work(system.matrix()) + Work{.flop = n, .bytes_read = 24 * n, .bytes_written = 8 * n};
}

inline Work precond_work(const System& system) {
  const std::int64_t n = system.rows();
  if (system.preconditioner() == Preconditioner::point) {
    return {.flop = n, .bytes_read = 16 * n, .bytes_written = 8 * n};
  }
  return forward_work(system.matrix()) + backward_work(system.matrix());
}

// Three sums of n products. standard, gropp: (p, s), then (r, u) and (r, r); the others: r, u and w in one pass.
constexpr Work dot_work(Method method, std::int64_t n) {
  const bool two_passes = method == Method::standard || method == Method::gropp;
  return {.flop = 6 * n, .bytes_read = (two_passes ? 4 : 3) * 8 * n};
}

// Vectors read and written, and updates of two flop a row.
constexpr Work update_work(Method method, std::int64_t n) {
  int updates = 8, read = 10, written = 8;  // z, q, s, p, x, r, u, w; m and n are only read
  switch (method) {
    case Method::standard:  // x, r with p, s; then p with u
      updates = 3, read = 6, written = 3;
      break;
    case Method::chronopoulos_gear:  // p, s, x, r with u, w
      updates = 4, read = 6, written = 4;
      break;
    case Method::gropp:  // x, r, u with p, s, q; then p, s with u, w
      updates = 5, read = 10, written = 5;
      break;
    case Method::pipelined:
    case Method::pipelined_replaced:
      break;
  }
  return {.flop = 2 * updates * n, .bytes_read = 8 * read * n, .bytes_written = 8 * written * n};
}

// r = b - A x, u, w, s, q and z anew.
inline Work replace_work(const System& system) {
  Work sum = waxpby_work(system.rows(), 8);
  for (int product = 0; product < 4; ++product) sum = sum + spmv_work(system);
  for (int precond = 0; precond < 2; ++precond) sum = sum + precond_work(system);
  return sum;
}

constexpr Work reduction_work(Method method, int ranks) {
  if (ranks == 1) return {};
  const bool two = method == Method::standard || method == Method::gropp;
  return {.bytes_read = 24, .bytes_written = 24, .messages = two ? 2 : 1};
}

// What an iteration goes over, on this rank.
inline std::int64_t working_set_bytes(const System& system, Method method) {
  const Coloured& a = system.matrix();
  constexpr std::int64_t diagonals = 2;
  return 12 * (a.lower.entries + a.upper.entries) + 8 * (a.chunks() + 1) +
         8 * (diagonals + vectors_of(method)) * a.rows;
}

}  // namespace tenken::cg_family
