// The hopping term of all ranks: its links, its halos, and its steps, which can be timed one by one.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>

#include "parallel/halo.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/lanes/hop.hpp"
#include "qcd/wilson.hpp"

namespace tenken::qcd {

// How a hopping term keeps its links and exchanges its halos.
struct HoppingOptions {
  bool once = false;     // links stored once instead of twice; for one field at a time only
  bool overlap = true;   // inner sites are worked on while messages fly; without, when all have come: the same bits
  bool barrier = false;  // all ranks wait for each other after each exchange, as programs must that cannot know when a
                         // neighbour's data is there
};

// For vectors of `width_` numbers, whatever rows of the links are stored. The term for the vectors of this build
// (native_width) has code of its own for each use; those of other widths, for blocks that cannot be cut so often and
// for tests, make do with one code for all uses, which spares two thirds of their compilation.
template <class Real, int width_>
class Hopping {
 public:
  static constexpr int width = width_;
  using Number = Real;
  using V = Vec<Real, width>;
  using Field = LaneField<V>;

  virtual ~Hopping() = default;

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
  virtual int stored_rows() const = 0;  // of each link

 protected:
  Hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links, const HoppingOptions& options);

  MPI_Comm comm_;
  const Lanes& lanes_;
  HoppingOptions options_;
  Halo halo_;
  // Neighbours of face vectors in dimensions that are both split and divided: some lanes from here, some from there.
  std::array<Buffer<BasicHalf<V>>, 8> merged_;

 private:
  virtual void interior(int parity, Field& out, const Field& in, const Field* extra, Real factor) = 0;
  virtual void boundary(int parity, Field& out, const Field& in, const Field* extra, Real factor) = 0;
  virtual void pack(int parity, const Field& in) = 0;
  void unpack();
};

// The hopping term with copies of the links, of which `rows` are stored, 3 or 2. The lanes, which must be of `width`,
// stay with the caller. Collective. Throws UserError for links stored once and several fields together. Compiled in
// hopping_*.cpp for vectors of at most widest_vector_bytes.
template <class Real, int width>
std::unique_ptr<Hopping<Real, width>> make_hopping(MPI_Comm comm, const Lanes& lanes, const ExtendedLinks& links,
                                                   int rows, const HoppingOptions& options = {});

}  // namespace tenken::qcd
