// The mixing function of random numbers (random.hpp), for kernels of a device, too: C++17.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tenken {

TENKEN_HOST_DEVICE constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace tenken
