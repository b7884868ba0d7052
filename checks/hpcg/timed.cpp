#include "timed.hpp"

#include <string>

#include "base/error.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace tenken::hpcg {

namespace section = this_check::section;

namespace {

Index<3> index3(const Parameters& parameters, std::string_view name) {
  const auto numbers = parameters.integers(name);
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
}

std::string listed(const Index<3>& index) {
  return std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]);
}

constexpr Leaf sweeps[levels] = {section::cg_symgs_0, section::cg_symgs_1, section::cg_symgs_2, section::cg_symgs_3};

}  // namespace

Index<3> cells_of(const Check& check) {
  const Index<3> cells = index3(check.parameters(), "cells");
  for (const int each : cells) {
    if (each % 8 != 0) {
      refuse("--cells " + listed(cells) + " cannot be halved three times; give multiples of 8, such as 16,16,16");
    }
  }
  return cells;
}

Index<3> ranks_of(const Check& check) {
  const Index<3> asked = index3(check.parameters(), "grid");
  constexpr int many = 1 << 12;  // cells of a cube, cut into blocks with little surface
  if (asked == Index<3>{}) return balanced_grid<3>({many, many, many}, check.ranks());
  if (product(asked) != check.ranks()) {
    refuse("--grid " + listed(asked) + " needs " + std::to_string(product(asked)) + " ranks, but " +
           std::to_string(check.ranks()) + " were started; start as many, or leave --grid out");
  }
  return asked;
}

void require_memory(const Check& check, const Index<3>& cells) {
  constexpr double all_grids = 1 + 1.0 / 8 + 1.0 / 64 + 1.0 / 512;
  constexpr double of_the_finest = 8 * (1 + 5 + 4);  // b, vectors of the solver and of proofs
  const double bytes = static_cast<double>(product(cells)) * (all_grids * Multigrid::bytes_a_cell() + of_the_finest) +
                       2 * Numbering<3>::bytes(cells, sizeof(double));
  check.require_memory(bytes, "HPCG with " + listed(cells) + " cells a rank");
}

double working_set_bytes(const Multigrid& multigrid) {
  double bytes = 0;
  for (int level = 0; level < levels; ++level) {
    const Grid& grid = multigrid.grid(level);
    bytes += 12.0 * static_cast<double>(grid.matrix().entries()) + 8.0 * 5 * static_cast<double>(grid.rows());
  }
  return bytes;
}

void Timed::step() {
  Section whole{section::cg};
  cg.step([this](Step step, int level) { return open(step, level); });
}

Section Timed::open(Step step, int level) const {
  const Grid& grid = multigrid.grid(step == Step::dot || step == Step::reduction || step == Step::waxpby ? 0 : level);
  switch (step) {
    case Step::halo:
      return Section(section::cg_halo, halo_work(grid));
    case Step::symgs:
      return Section(sweeps[level], symgs_work(grid));
    case Step::spmv:
      return Section(section::cg_spmv, spmv_work(grid));
    case Step::restriction:
      return Section(section::cg_restrict, transfer_work(multigrid.grid(level + 1).rows()));
    case Step::prolongation:
      return Section(section::cg_prolong, transfer_work(multigrid.grid(level + 1).rows()));
    case Step::dot:
      return Section(section::cg_dot, product_work(grid.rows(), level == 1));
    case Step::reduction:
      return Section(section::cg_reduction, reduction_work(ranks));
    case Step::waxpby:
      break;
  }
  return Section(section::cg_waxpby, axpy_work(grid.rows(), sizeof(double)));
}

}  // namespace tenken::hpcg
