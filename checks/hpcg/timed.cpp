#include "timed.hpp"

#include <string>

#include "base/error.hpp"
#include "best.hpp"
#include "measure/clock.hpp"
#include "multigrid.hpp"
#include "reference.hpp"
#include "this_check.hpp"

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

double require_memory(const Check& check, const Index<3>& cells) {
  const double solver = check.variant() == "best" ? Best::bytes(cells) : Reference::bytes(cells);
  const double bytes = Multigrid::bytes(cells) + solver;
  check.require_memory(bytes, "HPCG with " + listed(cells) + " cells a rank");
  return bytes;
}

void Timed::step() {
  const std::int64_t begin = monotonic_ns();
  {
    const Section whole{section::cg};
    solver_.step(this);
  }
  seconds_ += static_cast<double>(monotonic_ns() - begin) * 1e-9;
  ++steps_;
}

void Timed::enter(Step step, int level, const Work& of_rule_book) {
  Work work = of_rule_book;
  work.flop = charged(work.flop, iterations_);
  flop_ += static_cast<double>(work.flop);
  switch (step) {
    case Step::halo:
      part_.emplace(section::cg_halo, work);
      return;
    case Step::symgs:
      part_.emplace(sweeps[level], work);
      return;
    case Step::spmv:
      part_.emplace(section::cg_spmv, work);
      return;
    case Step::restriction:
      part_.emplace(section::cg_restrict, work);
      return;
    case Step::prolongation:
      part_.emplace(section::cg_prolong, work);
      return;
    case Step::dot:
      part_.emplace(section::cg_dot, work);
      return;
    case Step::reduction:
      part_.emplace(section::cg_reduction, work);
      return;
    case Step::waxpby:
      part_.emplace(section::cg_waxpby, work);
      return;
  }
}

}  // namespace tenken::hpcg
