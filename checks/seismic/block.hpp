// The fields of one block of a problem and their update row by row. No MPI, no threads: rows of one update may be
// worked on in any order and by any thread.
//
// Value n of a trace and of stress are at (n + 1/2) dt and n dt: velocity(n) goes before stress(n).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "kernel.hpp"
#include "problem.hpp"
#include "slopes.hpp"

namespace tenken::seismic {

// Columns i0 <= i < i1 of row j, counted from the first of the block.
struct Row {
  int j, i0, i1;
};

// Points outside of absorbing layers, those inside, or all. Of a row, `kernel` comes before `absorb`, with which its
// update ends: sources are added, receivers read.
enum class Part { kernel, absorb, whole };

// What an update works on: points, and of them those whose derivatives along a direction are damped, once for each such
// direction, or whose values are tapered.
struct Counts {
  std::int64_t points = 0, damped = 0, tapered = 0;
};

// Planted mistakes (check.toml, faults).
struct Faults {
  bool wrong_coefficient = false;  // the outer coefficient of D has the other sign
  bool swapped_shear = false;      // the update of stress takes sxz for syz
};

template <class Real>
class Block {
 public:
  // stored: with arrays for derivatives (classic). threads: who touches the arrays first.
  Block(const Problem& problem, const Index<3>& offset, const Index<3>& extents, bool stored, int threads,
        const Faults& faults = {});

  // Bytes of a block of these extents at most, and of them fields, material and stored derivatives.
  static double bytes(const Problem& problem, const Index<3>& extents, bool stored);

  const Problem& problem() const { return problem_; }
  const Layout& layout() const { return layout_; }
  const Index<3>& offset() const { return offset_; }
  Real* fields() { return fields_.data(); }  // component after component, layout().size() each
  Real* field(Component c) { return fields_.data() + c * layout_.size(); }
  const Real* field(Component c) const { return fields_.data() + c * layout_.size(); }
  const View<Real>& view() const { return view_; }

  // Derivatives into their arrays, then the update from them; or, with From = Made, all at once.
  void slopes_of_stress(const Row& row);
  void slopes_of_velocity(const Row& row);
  void store_slopes_past_caches(bool so) { past_caches_ = so; }
  template <class From>
  void velocity(std::int64_t step, const Row& row, Part part);
  template <class From>
  void stress(std::int64_t step, const Row& row, Part part);
  // Values above a free surface, before and after an update of Part::kernel that is made elsewhere (Fortran).
  void above_velocity(const Row& row);
  void above_stress(const Row& row);

  // Where the slabs of layers end: columns in x and y, values along z.
  bool in_layer_y(int j) const { return j < lower_[1] || j >= layout_.ny - upper_[1]; }
  int first_inside_x() const { return lower_[0]; }
  int last_inside_x() const { return layout_.nx - upper_[0]; }
  int first_inside_z() const { return first_z_; }
  int last_inside_z() const { return last_z_; }
  Counts counts(const std::vector<Row>& rows, Part part) const;

  // All that a step changes: fields, psi, memory.
  std::vector<std::pair<Real*, std::size_t>> state();

  // Of receivers in this block, by its number in the problem; values are added up to the last step.
  struct Trace {
    std::size_t receiver;
    std::int64_t at;  // in fields()
    std::vector<Real> values;
    int i, j;
  };
  const std::vector<Trace>& traces() const { return traces_; }
  std::vector<Trace>& traces() { return traces_; }
  void record(std::int64_t steps);  // makes room for so many steps, from 0 on

 private:
  struct Piece {
    int i0, i1, k0, k1;
    bool x, y, z;
  };
  struct Source {
    std::int64_t at;
    int i, j;
    Real amplitude;
    bool of_velocity;
  };
  void end_velocity(std::int64_t step, const Row& row);
  void end_stress(std::int64_t step, const Row& row);
  template <SlopesOf of>
  void slopes(const Row& row);
  template <class Use>
  void over_pieces(const Row& row, Part part, const Use& use) const;
  Layers<Real> layers_of(const Piece& piece, int j, bool for_stress);
  void taper_piece(const Piece& piece, int j, Component first, int fields);
  void add_sources(double t, const Row& row, bool of_velocity);
  void fill_material(int threads);
  void make_layers();
  void place_points();
  int slab(int n, int direction) const;  // number of a column in the slabs of x or y

  Problem problem_;
  Index<3> offset_;
  Layout layout_;
  View<Real> view_;
  bool swapped_ = false, past_caches_ = false;
  Buffer<Real> fields_, material_, slopes_, memory_, psi_;
  std::array<int, 2> lower_{}, upper_{};  // columns of layers at the ends of x and y
  int first_z_ = 0, last_z_ = 0;
  std::array<std::size_t, 3> psi_size_{};  // of one array of each direction
  std::array<std::vector<Damping<Real>>, 2> at_cell_, at_half_;
  std::array<std::vector<Real>, 6> along_z_;  // share, a, b of cells and of halves
  std::array<std::vector<Real>, 3> sponge_;
  std::vector<Source> sources_;
  std::vector<Trace> traces_;
};

}  // namespace tenken::seismic
