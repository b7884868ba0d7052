// The functions by which a program of a check gets its kernels in one of their two forms (form.hpp).
#pragma once

#include <memory>
#include <vector>

#include "gpu/facts.hpp"

namespace tenken::gpu {

// `cards`: all that this process may use. `make_device`: a Device of the check, on one of them.
template <class Device>
struct FormOf {
  std::vector<Facts> (*cards)();
  std::unique_ptr<Device> (*make_device)(int card);
};

}  // namespace tenken::gpu
