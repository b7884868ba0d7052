// Orders of the rows of a matrix: level sets, (reverse) Cuthill-McKee, and colours, whose rows do not touch each other.
// The pattern must be square and symmetric. Rows i and j touch where a_ij is stored, i != j.
//
// Sources: E. Cuthill, J. McKee, Proc. 24th ACM Nat. Conf. (1969) 157; A. George, J. W. H. Liu, Computer Solution of
// Large Sparse Positive Definite Systems (1981) (reverse); T. Washio, K. Maruyama, T. Osoda, F. Shimizu, S. Doi,
// Proc. 1999 ICES (CM-RCM).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/csr.hpp"

namespace tenken {

struct Ordering {
  std::vector<std::int32_t> order;  // row of the matrix that comes n-th: for permuted() of csr.hpp
  std::vector<std::int64_t> begin;  // groups + 1: where each level or colour starts in `order`

  std::int64_t groups() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

// Cuthill-McKee; the groups are the levels: {a row of least degree}, then the unvisited neighbours of the level before,
// in order of visit, of one row those of least degree first. A part that is not connected to the one before goes on
// with a new level.
Ordering cuthill_mckee(const Pattern& pattern);

// The same backwards.
Ordering reverse_cuthill_mckee(const Pattern& pattern);

// CM-RCM(k): colour of a row = its level mod k, the levels ascending inside a colour. Fewer than k levels give as many
// colours. Throws UserError where k is below 2, or where two rows of one level touch (27-point stencils), naming them:
// take greedy_colours there.
Ordering cm_rcm(const Pattern& pattern, int k);

// The levels of substitution in the matrix's order: a row without couplings to earlier rows is in level 0, each other
// row in the level after the last level of the earlier rows that it touches. Rows of a level do not touch. Elimination
// by levels is elimination in the matrix's order, with the same factor (E. Anderson, Y. Saad, Int. J. High Speed
// Computing 1 (1989) 73).
Ordering natural_levels(const Pattern& pattern);

// Each row, in the order of `rows`, gets the first colour that none of its neighbours has; the colours keep that order.
Ordering greedy_colours(const Pattern& pattern, const std::vector<std::int32_t>& rows);
Ordering greedy_colours(const Pattern& pattern);  // in the matrix's own order

// Rows in messages count from 1, levels and colours from 0. What is wrong with a colouring, as a sentence: a row that
// comes not once, or two rows of one colour that touch. Empty where nothing is. Columns beyond the rows, which hold
// values of others, have no colour.
std::string colouring_error(const Pattern& pattern, const Ordering& colours);

// Largest |i - j| over the entries.
std::int64_t bandwidth(const Pattern& pattern);

}  // namespace tenken
