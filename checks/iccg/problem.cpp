#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "definite.hpp"
#include "numerics/poisson.hpp"

namespace iccg {

using tenken::Csr;
using tenken::Ordering;
using tenken::refuse;

std::int64_t rows_of(const std::vector<std::int64_t>& size) {
  double rows = 1;
  for (const std::int64_t n : size) rows *= static_cast<double>(n);
  if (rows > static_cast<double>(tenken::most_rows)) {
    refuse("--size asks for " + std::to_string(rows / 1e9) +
           "e9 cells, more than indices of 4 bytes can number; choose a smaller one");
  }
  return static_cast<std::int64_t>(rows);
}

Problem poisson_problem(int nx, int ny, int nz) {
  Problem problem{tenken::poisson_matrix(nx, ny, nz), {}, std::int64_t{nx} * ny};
  problem.b.resize(static_cast<std::size_t>(problem.a.rows));
  for (std::size_t i = 0; i < problem.b.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const std::int64_t x = cell % nx, y = cell / nx % ny, z = cell / (std::int64_t{nx} * ny);
    problem.b[i] = tenken::poisson_source(x, y, z);
  }
  return problem;
}

namespace {

// Times a power of two, which changes no digit; returns the exponent that it removed.
int normalise(Csr<double>& a, const std::string& where) {
  double most = 0, least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const double diagonal = *find_entry(a, i, i);
    most = std::max(most, diagonal);
    least = std::min(least, diagonal);
  }
  const int exponent = std::ilogb(most);
  if (std::ldexp(least, -exponent) < std::numeric_limits<double>::min()) {
    refuse(where + "its diagonal entries are too far apart for numbers of 8 bytes; scale its rows and columns");
  }
  for (double& value : a.value) value = std::ldexp(value, -exponent);
  return exponent;
}

}  // namespace

Problem problem_from(const std::string& path, tenken::Patterns patterns) {
  tenken::MatrixFile file = tenken::read_matrix_market(path, patterns);
  Problem problem{.a = std::move(file.a), .b = {}, .added = file.added};
  const Csr<double>& a = problem.a;
  const std::string where = "--matrix " + path + ": ";
  if (a.rows != a.columns) {
    refuse(where + "the matrix has " + std::to_string(a.rows) + " rows and " + std::to_string(a.columns) +
           " columns, but conjugate gradients need a square matrix");
  }
  if (a.rows == 0) refuse(where + "the matrix has no rows; give one that has");
  for (std::int64_t i = 0; i < a.rows; ++i) {
    if (a.row(i).size() == 0) refuse(where + "row " + std::to_string(i + 1) + " is empty, so the matrix is singular");
  }
  for (const double value : a.value) {
    if (!std::isfinite(value)) refuse(where + "entries of one place add up to more than 8 bytes can represent");
  }
  if (const auto entry = unsymmetric_entry(a, 1e-12)) {
    const double* const mirror = find_entry(a, entry->column, entry->row);
    const std::string skew = mirror != nullptr && *mirror == -entry->value ? " (a skew-symmetric matrix?)" : "";
    refuse(where + "the entry in row " + std::to_string(entry->row + 1) + ", column " +
           std::to_string(entry->column + 1) + " differs from its mirror image" + skew +
           ", but conjugate gradients need a symmetric matrix");
  }
  if (const std::string indefinite = indefinite_rows(a); !indefinite.empty()) {
    refuse(where + indefinite + "; conjugate gradients need a positive definite matrix");
  }
  problem.exponent = normalise(problem.a, where);
  const std::vector<double> ones(static_cast<std::size_t>(a.rows), 1.0);
  problem.b.resize(ones.size());
  multiply(a, ones.data(), problem.b.data());
  // Where all rows sum to 0, ones are no answer: the matrix is singular, or the right side says nothing.
  if (std::all_of(problem.b.begin(), problem.b.end(), [](double x) { return x == 0; })) {
    refuse(where + "all rows sum to 0, so the matrix is singular; give one that is positive definite");
  }
  return problem;
}

Ordering coloured(const Csr<double>& a, Colouring colouring, int colours) {
  if (colouring == Colouring::greedy) return greedy_colours(a, cuthill_mckee(a).order);
  if (colouring == Colouring::cm_rcm) return cm_rcm(a, colours);
  if (colouring == Colouring::levels) return natural_levels(a);
  try {
    return cm_rcm(a, colours);
  } catch (const tenken::UserError&) {
    if (colours < 2) throw;
    return greedy_colours(a, cuthill_mckee(a).order);
  }
}

Csr<double> with_full_blocks(const Csr<double>& a, int block) {
  if (a.rows % block != 0) {
    refuse("--block " + std::to_string(block) + " does not divide the " + std::to_string(a.rows) +
           " rows of the matrix; choose the number of unknowns of a node, or 1");
  }
  // The block columns of each row of blocks, ascending.
  const std::int64_t rows = a.rows / block;
  std::vector<std::vector<std::int32_t>> blocks(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < rows; ++k) {
    auto& of_k = blocks[static_cast<std::size_t>(k)];
    for (std::int64_t n = a.row(k * block).first; n < a.row((k + 1) * block - 1).last; ++n) {
      of_k.push_back(a.column[static_cast<std::size_t>(n)] / block);
    }
    std::sort(of_k.begin(), of_k.end());
    of_k.erase(std::unique(of_k.begin(), of_k.end()), of_k.end());
  }
  const auto of_row = [&](std::int64_t i) -> const auto& { return blocks[static_cast<std::size_t>(i / block)]; };
  return tenken::make_csr<double>(
      a.rows, a.columns, [&](std::int64_t i) { return static_cast<std::int64_t>(of_row(i).size()) * block; },
      [&](std::int64_t i, std::int32_t* column, double* value) {
        for (const std::int32_t first : of_row(i)) {
          for (std::int32_t j = first * block; j < (first + 1) * block; ++j) {
            const double* const found = find_entry(a, i, j);
            *column++ = j;
            *value++ = found == nullptr ? 0 : *found;
          }
        }
      });
}

std::int64_t couplings_inside(const Csr<double>& a, const Ordering& colours) {
  std::vector<std::int64_t> of_row(static_cast<std::size_t>(a.rows), -1);
  for (std::int64_t g = 0; g < colours.groups(); ++g) {
    for (auto n = colours.begin[static_cast<std::size_t>(g)]; n < colours.begin[static_cast<std::size_t>(g) + 1]; ++n) {
      of_row[static_cast<std::size_t>(colours.order[static_cast<std::size_t>(n)])] = g;
    }
  }
  std::int64_t couplings = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j != i && of_row[static_cast<std::size_t>(i)] == of_row[static_cast<std::size_t>(j)]) ++couplings;
    }
  }
  return couplings;
}

void move_to_wrong_colour(Ordering& colours) {
  if (colours.groups() < 2)
    refuse("--fault wrong_colour needs a matrix with two colours; this one has couplings to none");
  ++colours.begin[1];
}

Csr<double> without_a_coupling(const Csr<double>& a) {
  // Of a row in the middle, where a solution is far from 0.
  for (std::int64_t i = a.rows / 2; i < a.rows; ++i) {
    for (std::int64_t n = a.row(i).first; n < a.row(i).last; ++n) {
      const std::int64_t j = a.column[static_cast<std::size_t>(n)];
      if (j <= i) continue;
      std::vector<tenken::Entry> entries;
      for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t m = a.row(row).first; m < a.row(row).last; ++m) {
          const std::int64_t column = a.column[static_cast<std::size_t>(m)];
          if ((row == i && column == j) || (row == j && column == i)) continue;
          entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column),
                             a.value[static_cast<std::size_t>(m)]});
        }
      }
      return std::move(tenken::csr_from(a.rows, a.columns, entries).first);
    }
  }
  refuse("--fault drop_coupling needs a matrix with couplings, but the matrix is diagonal");
}

}  // namespace iccg
