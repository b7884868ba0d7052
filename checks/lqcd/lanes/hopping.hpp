// The hopping term of all ranks: its links, its halos, and its steps, which can be timed one by one.
#pragma once

#include <mpi.h>

#include <cstring>

#include "gauge/extended.hpp"
#include "lanes/hop.hpp"
#include "parallel/halo.hpp"
#include "wilson.hpp"

namespace tenken::lqcd {

template <class Real, int width_, int rows>
class Hopping {
 public:
  static constexpr int width = width_;
  static constexpr int stored_rows = rows;
  using Number = Real;
  using V = Vec<Real, width>;
  using Field = LaneField<V>;

  // Copies the links. The lanes stay with the caller. Collective. `overlap`: inner sites are worked on while messages
  // fly; without, only when all have arrived. Both give the same bits. `barrier`: all ranks wait for each other after
  // each exchange, as programs do that cannot know when a neighbour's data is there.
  Hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links, bool overlap = true, bool barrier = false);

  // At sites of `parity`: out = H in or, with `extra`, out = gamma_5 (extra - factor H in), where `in` is of the other
  // parity. `open(step)` as in Wilson::apply.
  template <class Open>
  void apply(int parity, Field& out, const Field& in, const Field* extra, Real factor, Open open) {
    const auto run = [&](Step step, auto&& action) {
      [[maybe_unused]] const auto opened = open(step);
      action();
    };
    const auto interior = [&] {
      run(Step::interior, [&] { sweep<false>(lanes_.interior[parity], parity, out, in, extra, factor); });
    };
    if (!divided()) return interior();
    run(Step::pack, [&] { pack(1 - parity, in); });
    run(Step::start, [&] { halo_.start(); });
    if (overlap_) interior();
    run(Step::wait, [&] {
      halo_.wait_incoming();
      if (barrier_) MPI_Barrier(comm_);
    });
    run(Step::unpack, [&] { unpack(); });
    if (!overlap_) interior();
    run(Step::boundary, [&] { sweep<true>(lanes_.boundary[parity], parity, out, in, extra, factor); });
    run(Step::sent, [&] { halo_.wait_outgoing(); });
  }

  const Lanes& lanes() const { return lanes_; }
  bool divided() const { return !lanes_.boundary[0].empty() || !lanes_.boundary[1].empty(); }

 private:
  template <bool at_face>
  void sweep(const std::vector<std::int32_t>& list, int parity, Field& out, const Field& in, const Field* extra,
             Real factor);
  void pack(int parity, const Field& in);
  template <int mu>
  void pack_dimension(int parity, const Field& in);
  void unpack();
  HopData<V, rows> data(int parity) const;

  MPI_Comm comm_;
  const Lanes& lanes_;
  bool overlap_;
  bool barrier_;
  std::array<Buffer<StoredLink<V, rows>>, parities> links_;
  Halo halo_;
  // Neighbours of face vectors in dimensions that are both split and divided: some lanes from here, some from there.
  std::array<Buffer<BasicHalf<V>>, 8> merged_;
};

}  // namespace tenken::lqcd

#include "lanes/hopping.inl.hpp"
