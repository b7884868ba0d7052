// The hopping term of all ranks: its links, its halos, and its steps, which can be timed one by one.
#pragma once

#include <mpi.h>

#include <cstring>

#include "gauge/extended.hpp"
#include "lanes/hop.hpp"
#include "parallel/halo.hpp"
#include "wilson.hpp"

namespace tenken::lqcd {

// How a hopping term keeps its links and exchanges its halos.
struct HoppingOptions {
  bool once = false;     // links stored once instead of twice; for one field at a time only
  bool overlap = true;   // inner sites are worked on while messages fly; without, when all have come: the same bits
  bool barrier = false;  // all ranks wait for each other after each exchange, as programs must that cannot know when a
                         // neighbour's data is there
};

template <class Real, int width_, int rows>
class Hopping {
 public:
  static constexpr int width = width_;
  static constexpr int stored_rows = rows;
  using Number = Real;
  using V = Vec<Real, width>;
  using Field = LaneField<V>;

  // Copies the links. The lanes stay with the caller. Collective. Throws UserError for links stored once and several
  // fields together.
  Hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links, const HoppingOptions& options = {});

  // At sites of `parity`: out = H in or, with `extra`, out = gamma_5 (extra - factor H in), where `in` is of the other
  // parity. `open(step)` as in Wilson::apply.
  template <class Open>
  void apply(int parity, Field& out, const Field& in, const Field* extra, Real factor, Open open) {
    const auto run = [&](Step step, auto&& action) {
      [[maybe_unused]] const auto opened = open(step);
      action();
    };
    const auto inside = [&] { run(Step::interior, [&] { interior(parity, out, in, extra, factor); }); };
    if (!divided()) return inside();
    run(Step::pack, [&] { pack(1 - parity, in); });
    run(Step::start, [&] { halo_.start(); });
    if (options_.overlap) inside();
    run(Step::wait, [&] {
      halo_.wait_incoming();
      if (options_.barrier) MPI_Barrier(comm_);
    });
    run(Step::unpack, [&] { unpack(); });
    if (!options_.overlap) inside();
    run(Step::boundary, [&] { boundary(parity, out, in, extra, factor); });
    run(Step::sent, [&] { halo_.wait_outgoing(); });
  }

  const Lanes& lanes() const { return lanes_; }
  const HoppingOptions& options() const { return options_; }
  bool divided() const { return !lanes_.boundary[0].empty() || !lanes_.boundary[1].empty(); }

 private:
  void interior(int parity, Field& out, const Field& in, const Field* extra, Real factor);
  void boundary(int parity, Field& out, const Field& in, const Field* extra, Real factor);
  template <bool general, bool several>
  void sweep(const std::vector<std::int32_t>& list, int parity, Field& out, const Field& in, const Field* extra,
             Real factor);
  void pack(int parity, const Field& in);
  template <int mu>
  void pack_dimension(int parity, const Field& in);
  void unpack();
  HopData<V, rows> data(int parity) const;
  std::size_t stored_links() const { return options_.once ? 4 : 8; }  // of each vector

  MPI_Comm comm_;
  const Lanes& lanes_;
  HoppingOptions options_;
  std::array<Buffer<StoredLink<V, rows>>, parities> links_;
  Halo halo_;
  // Neighbours of face vectors in dimensions that are both split and divided: some lanes from here, some from there.
  std::array<Buffer<BasicHalf<V>>, 8> merged_;
};

// Compiled once, in hopping_double.cpp and hopping_single.cpp; other widths need hopping.inl.hpp.
extern template class Hopping<double, native_width<double>, 3>;
extern template class Hopping<double, native_width<double>, 2>;
extern template class Hopping<float, native_width<float>, 3>;
extern template class Hopping<float, native_width<float>, 2>;

}  // namespace tenken::lqcd
