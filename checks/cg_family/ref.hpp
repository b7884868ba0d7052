// The plain twin: the product by the formula of the seven points, cell by cell of the whole box.
#pragma once

#include "parallel/partition.hpp"

namespace tenken::cg_family::plain {

// Row `cell` of A x; x(cell) of any cell.
template <class X>
double row(const Index<3>& cells, const Index<3>& cell, const X& x) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    for (const int step : {-1, 1}) {
      Index<3> other = cell;
      other[d] += step;
      if (other[d] >= 0 && other[d] < cells[d]) sum += x(cell) - x(other);
    }
  }
  return cell[2] + 1 == cells[2] ? sum + 2 * x(cell) : sum;
}

}  // namespace tenken::cg_family::plain
