// The block of this rank and its neighbours: steps in the order of a variant, halos hidden behind columns that need
// none.
//
// Variants that work on one field after the other update the columns that neighbours need first (the border), send
// them, and update the others while they travel. `one_sweep` and `temporal` take several stages, velocity and stress of
// 1, 2 or 4 steps, in one pass over memory (sweep.hpp); columns near other ranks go before, stage by stage.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/watch.hpp"
#include "block.hpp"
#include "parallel/exchange.hpp"
#include "parallel/partition.hpp"

namespace tenken::seismic {

enum class Variant { classic, classic_fortran, fused, one_sweep, temporal };

enum class Phase {
  step,  // all of a pass
  stressderiv,
  update_vel,
  absorb_vel,
  velderv,
  update_stress,
  absorb_stress,
  ring,
  sweep,  // of one_sweep and temporal: columns near other ranks, all others
  velocity_passing,
  velocity_pack,
  velocity_wait,
  velocity_unpack,
  stress_passing,
  stress_pack,
  stress_wait,
  stress_unpack,
  count
};

struct Plan {
  Variant variant = Variant::fused;
  Index<2> grid{1, 1};
  int depth = 1;  // steps of a pass
  int tile = 64;  // columns in x of a sweep
  int threads = 1;
  bool past_caches = false;  // classic: derivatives are stored past the caches
  bool stale_halo = false;   // planted: what the first exchanges brought is never renewed
};

// Columns in x of a tile such that rows of all fields, from the first to the last stage, fit half of a cache of so many
// bytes, and threads have more than two tiles each.
int tile_for(const Problem& problem, const Plan& plan, double cache_bytes);

template <class Real>
class Waves {
 public:
  // Collective. Throws UserError where a block has no room for its halo or its layers, or no column for a sweep.
  Waves(MPI_Comm comm, const Problem& problem, const Plan& plan, const Faults& faults = {});

  // Steps up to the next multiple of depth().
  void pass(Watch<Phase>* watch = nullptr);
  int depth() const { return plan_.depth; }
  std::int64_t step() const { return step_; }
  void go_on_from(std::int64_t step) { step_ = step; }

  Block<Real>& block() { return block_; }
  const Block<Real>& block() const { return block_; }
  const Plan& plan() const { return plan_; }
  MPI_Comm comm() const { return comm_; }
  const std::vector<Row>& border() const { return border_; }
  const std::vector<Row>& inner() const { return inner_; }
  // Columns of a stage of a pass that go before the sweep; the others.
  std::vector<Row> ring(int stage) const { return near(ring_width(stage)); }
  std::vector<Row> swept(int stage) const { return far(ring_width(stage)); }
  int stages() const { return 2 * plan_.depth; }
  const Exchange& velocity_exchange() const { return velocity_; }
  const Exchange& stress_exchange() const { return stress_; }

 private:
  static Partition<2> partition_of(MPI_Comm comm, const Problem& problem, const Plan& plan);
  Lists lists(bool of_stress) const;
  std::vector<Row> near(int width) const;
  std::vector<Row> far(int width) const;
  int ring_width(int stage) const { return halo + halo * (stages() - 1 - stage); }
  template <class Use>
  void over(const std::vector<Row>& rows, const Use& use) const;
  template <class From>
  void velocity_rows(const std::vector<Row>& rows, std::int64_t step, Watch<Phase>* watch);
  template <class From>
  void stress_rows(const std::vector<Row>& rows, std::int64_t step, Watch<Phase>* watch);
  void start(bool of_stress, Watch<Phase>* watch);
  void finish(bool of_stress, Watch<Phase>* watch);
  template <class From>
  void plain_step(Watch<Phase>* watch);
  void swept_pass(Watch<Phase>* watch);
  void stage(int number, const Row& row);

  MPI_Comm comm_;
  Plan plan_;
  Partition<2> partition_;
  std::array<std::array<bool, 2>, 2> shared_{};  // [direction][side]: whether there is a neighbour
  Block<Real> block_;
  Exchange velocity_, stress_;
  std::vector<Row> border_, inner_;
  std::int64_t step_ = 0;
  int fresh_ = 2;  // exchanges that a stale halo lets through
};

}  // namespace tenken::seismic
