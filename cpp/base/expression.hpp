// Arithmetic of check.toml, such as `max(1e-12, 5/sqrt(108*n))`: the grammar of python/tenken/base/toml.py.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string_view>

namespace tenken {

// The value of a name. `missing`: the name may be used only where a factor 0 before it switches it off.
struct Operand {
  double number = std::numeric_limits<double>::quiet_NaN();
  bool missing = false;
};

// The value of `text`; NaN where it is no expression, has no finite value, or needs a name without one. `value_of`
// gives nothing for a name that nobody knows.
double expression_value(std::string_view text,
                        const std::function<std::optional<Operand>(std::string_view name)>& value_of);

}  // namespace tenken
