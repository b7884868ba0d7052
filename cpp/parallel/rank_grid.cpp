#include "parallel/rank_grid.hpp"

#include "base/error.hpp"

namespace tenken {

Index<3> index3(const Parameters& parameters, std::string_view name) {
  const auto numbers = parameters.integers(name);
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
}

std::string listed(const Index<3>& index) {
  return std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]);
}

Index<3> rank_grid(const Parameters& parameters, const Index<3>& cells, int ranks) {
  const Index<3> asked = index3(parameters, "grid");
  if (asked == Index<3>{}) return balanced_grid(cells, ranks);
  if (product(asked) != ranks) {
    refuse("--grid " + listed(asked) + " needs " + std::to_string(product(asked)) + " ranks, but " +
           std::to_string(ranks) + " were started; start as many, or leave --grid out");
  }
  return asked;
}

}  // namespace tenken
