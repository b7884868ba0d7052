// The rows of a chunk as a constant, for code that the compiler makes vectors of.
#pragma once

#include <type_traits>

namespace tenken {

// call(std::integral_constant<int, c>), for c of 1, 2, 4, 8, 16 and 32.
template <class Call>
auto with_width(int c, const Call& call) {
  switch (c) {
    case 1:
      return call(std::integral_constant<int, 1>{});
    case 2:
      return call(std::integral_constant<int, 2>{});
    case 4:
      return call(std::integral_constant<int, 4>{});
    case 8:
      return call(std::integral_constant<int, 8>{});
    case 16:
      return call(std::integral_constant<int, 16>{});
    default:
      return call(std::integral_constant<int, 32>{});
  }
}

}  // namespace tenken
