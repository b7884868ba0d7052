// Back substitution and the residual.
#pragma once

#include <vector>

#include "matrix.hpp"
#include "measure/section.hpp"

namespace hpl {

// x of U x = y from the eliminated [U | y], whole on every process. Blocks of x from the last to the first: the
// processes of the block's row add up what they know, the owner of the diagonal block solves, its column of the grid
// goes on.
std::vector<double> solve(const Grid& grid, const Matrix& matrix, int nb);
tenken::Work solve_work(const Grid& grid, const Matrix& matrix);

// ||A x - b|| / (eps n (||A|| ||x|| + ||b||)), all in the infinity norm, for the system that `elements` makes anew: the
// scaled residual of the benchmark (A. Petitet, R. C. Whaley, J. Dongarra, A. Cleary, HPL 2.3), which passes below 16.
// `grid` and `nb` only share out the work.
double scaled_residual(const Grid& grid, int nb, const Elements& elements, const std::vector<double>& x);

}  // namespace hpl
