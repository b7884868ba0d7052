#include "kernel.hpp"

namespace noise {

std::uint64_t work(std::int64_t steps) {
  std::uint64_t x = 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    x *= factor;
    asm volatile("" : "+r"(x));  // compilers must not find a shorter way
  }
  return x;
}

std::uint64_t plain_power(std::int64_t steps) {
  std::uint64_t result = 1;
  std::uint64_t square = factor;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) result *= square;
    square *= square;
  }
  return result;
}

}  // namespace noise
