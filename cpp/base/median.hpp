// The median of some numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenken {

// Of at least one number; of an even count the mean of the two in the middle.
inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace tenken
