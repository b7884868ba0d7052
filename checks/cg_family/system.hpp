// The Poisson equation of poisson.hpp on a block of cells a rank, as solvers use it: rows in the order of colours, each
// thread its share of every colour, halo across faces, and preconditioners that know their rank alone.
//
// What ends in `thread` is the part of one thread; between calls that read what others wrote, the caller puts a
// barrier.
#pragma once

#include <mpi.h>

#include "numerics/shares.hpp"
#include "parallel/exchange.hpp"
#include "parallel/numbering.hpp"

namespace tenken::cg_family {

enum class Preconditioner {
  point,  // the diagonal: the same on any number of ranks
  ic,     // incomplete Cholesky of the rank's own block, colour by colour
};

// Planted mistakes (check.toml, faults), on one rank each.
struct Faults {
  bool stale_halo = false;                  // what the first exchange brought is never renewed
  bool unsymmetric_preconditioner = false;  // one row takes from another that does not take from it
};

class System {
 public:
  // Collective. Throws UserError as balanced grids, halos and colours do.
  System(MPI_Comm comm, const Index<3>& cells, const Index<3>& grid, int colours, Preconditioner preconditioner,
         int threads, const Faults& faults);

  MPI_Comm comm() const { return comm_; }
  const Partition<3>& block() const { return block_; }
  std::int64_t rows() const { return a_.rows; }
  const Coloured& matrix() const { return a_; }
  const Shares& shares() const { return shares_; }
  int threads() const { return shares_.threads(); }
  Preconditioner preconditioner() const { return preconditioner_; }

  // Vectors hold rows in the order of colours, padding is 0.
  Buffer<double> vector(std::string_view purpose) const { return make_vector(a_, purpose); }
  // The place in the whole box of a row, which must not be padding.
  Index<3> cell(std::int64_t place) const;
  bool padding(std::int64_t place) const { return a_.row[static_cast<std::size_t>(place)] < 0; }
  // v = what at(cell) says.
  template <class At>
  void fill(double* v, const At& at) const {
    for (std::int64_t place = 0; place < a_.padded; ++place) v[place] = padding(place) ? 0 : at(cell(place));
  }

  // y = A x: start_halo; multiply_inside on all threads; finish_halo; add_halo on all threads. The first and the third
  // by the first thread alone, where x is whole; a barrier before the last.
  bool has_halo() const { return halo_.size() > 0; }
  void start_halo(const double* x);
  void multiply_inside(int thread, const double* x, double* y) const;
  void finish_halo();
  void add_halo(int thread, double* y) const;

  // z = M^-1 r. point: one call. ic: forward in all colours, then backward from the last but one down to the first, a
  // barrier between colours. add_fault: of the fault, after all.
  void point(int thread, const double* r, double* z) const;
  void forward(int thread, int colour, const double* r, double* z) const;
  void backward(int thread, int colour, double* z) const;
  bool has_fault() const { return unsymmetric_; }
  void add_fault(int thread, const double* r, double* z) const;

  std::int64_t couplings() const { return static_cast<std::int64_t>(couplings_.size()); }
  std::int64_t messages() const { return exchange_.messages(); }
  std::int64_t bytes_sent() const { return exchange_.bytes(); }
  std::int64_t bytes_received() const { return 8 * static_cast<std::int64_t>(halo_.size()); }

  // Bytes of a rank for a block of these extents, without vectors.
  static double bytes(const Index<3>& extents);

 private:
  struct Coupling {
    std::int32_t place;  // of the row
    std::int32_t item;   // of the halo
  };
  static std::vector<Coupling> couplings_of(const Partition<3>& block, const Numbering<3>& numbering,
                                            const std::vector<std::int32_t>& places);

  MPI_Comm comm_;
  Partition<3> block_;
  Numbering<3> numbering_;
  Coloured a_;
  Shares shares_;
  Preconditioner preconditioner_;
  std::vector<std::int32_t> places_;  // of the block's cells
  std::vector<Coupling> couplings_;   // to cells of others, by place
  Buffer<double> halo_;
  Buffer<double> inverse_;  // of the diagonal
  Exchange exchange_;
  bool stale_, unsymmetric_;
  bool fresh_ = true;
};

}  // namespace tenken::cg_family
