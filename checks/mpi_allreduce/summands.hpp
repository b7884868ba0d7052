// Numbers whose sum over the ranks is known exactly: whole, and small enough that no order of summation rounds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace mpi_allreduce {

// Element i of call `call`: 1 to 1024.
inline double weight(std::uint64_t call, std::size_t i) {
  return static_cast<double>((tenken::mix64(call) + 37 * i) % 1024 + 1);
}

// What `rank` gives. Up to 10^6 ranks the sum stays below 2^53.
inline double summand(int rank, std::uint64_t call, std::size_t i) { return (rank + 1) * weight(call, i); }

inline double exact_sum(int ranks, std::uint64_t call, std::size_t i) {
  return 0.5 * ranks * (ranks + 1.0) * weight(call, i);
}

}  // namespace mpi_allreduce
