// The check's parameters, its need of memory, and the solver with and without sections.
#pragma once

#include "cg.hpp"
#include "measure/check.hpp"
#include "measure/section.hpp"

namespace tenken::hpcg {

Index<3> cells_of(const Check& check);  // of each rank; refuses what four grids cannot halve
Index<3> ranks_of(const Check& check);
void require_memory(const Check& check, const Index<3>& cells);
double working_set_bytes(const Multigrid& multigrid);  // of this rank

struct Untimed {
  Cg& cg;
  void start() { cg.start(); }
  void step() {
    cg.step([](Step, int) { return 0; });
  }
  int iteration() const { return cg.iteration(); }
  double residual() const { return cg.residual(); }
};

struct Timed {
  const Multigrid& multigrid;
  Cg& cg;
  int ranks;

  void start() { cg.start(); }
  void step();
  int iteration() const { return cg.iteration(); }
  double residual() const { return cg.residual(); }

 private:
  Section open(Step step, int level) const;
};

}  // namespace tenken::hpcg
