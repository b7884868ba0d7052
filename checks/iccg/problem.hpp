// What is solved: the Poisson equation, or a matrix from a file.
#pragma once

#include <string>
#include <vector>

#include "numerics/csr.hpp"
#include "numerics/matrix_market.hpp"
#include "numerics/ordering.hpp"

namespace iccg {

struct Problem {
  tenken::Csr<double> a;
  std::vector<double> b;
  std::int64_t top = 0;    // rows of the last layer, where the solution leaves the box; 0 for a matrix from a file
  int exponent = 0;        // A is that of the file times 2^-exponent
  std::int64_t added = 0;  // entries of the file that were added to others of the same place
};

// Source x + y + z at the centre of each cell, whose edges are 1. Throws UserError where the cells cannot be numbered.
Problem poisson_problem(int nx, int ny, int nz);
std::int64_t rows_of(const std::vector<std::int64_t>& size);

// b = A 1, with A scaled by a power of two so that its largest diagonal entry is from 1 to 2. Throws UserError, naming
// the file, where the matrix is not square, not symmetric, has a row without entries, a diagonal entry that is not
// positive, or two rows that show that it is not positive definite.
Problem problem_from(const std::string& path, tenken::Patterns patterns = tenken::Patterns::refused);

enum class Colouring { automatic, cm_rcm, greedy, levels };

// `automatic`: CM-RCM where no two rows of a level touch, else greedy. `levels`: those of the matrix's order, with the
// factor of that order.
tenken::Ordering coloured(const tenken::Csr<double>& a, Colouring colouring, int colours);

// A with entries of 0 where a block of so many rows and columns has entries of A: IC(0) in this pattern, with `levels`,
// is the incomplete factor by blocks, with whole blocks as pivots. Throws UserError where the blocks do not divide A.
tenken::Csr<double> with_full_blocks(const tenken::Csr<double>& a, int block);

// Couplings between rows of one colour: none in a colouring.
std::int64_t couplings_inside(const tenken::Csr<double>& a, const tenken::Ordering& colours);

// Faults: the first row of the second colour moved to the end of the first one; one coupling, in both triangles, gone.
void move_to_wrong_colour(tenken::Ordering& colours);
tenken::Csr<double> without_a_coupling(const tenken::Csr<double>& a);

}  // namespace iccg
