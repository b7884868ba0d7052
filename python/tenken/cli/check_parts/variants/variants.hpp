// The kernel of each variant.
#pragma once

#include <span>
#include <string_view>

#include "kernel.hpp"
#include "this_check.hpp"

namespace NAME {

using Pass = void (*)(double a, std::span<const double> x, std::span<double> y);

// As axpy of kernel.hpp. A variant that is not built has no symbols: `if constexpr` leaves out the reference.
@DECLARED@
inline Pass pass_of(std::string_view variant) {
@CHOSEN@  return variant == "plain" ? axpy : nullptr;
}

}  // namespace NAME
