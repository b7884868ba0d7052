// The work of a quantum: a chain of multiplications that nothing shortens. No MPI, no clock.
#pragma once

#include <cstdint>

namespace noise {

constexpr std::uint64_t factor = 6364136223846793005u;

// factor^steps modulo 2^64, one multiplication after the other.
std::uint64_t work(std::int64_t steps);

// The same by squaring: the twin.
std::uint64_t plain_power(std::int64_t steps);

}  // namespace noise
