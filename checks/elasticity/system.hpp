// The operator as the solver uses it: matrix, preconditioner and halo of the vector that is multiplied.
#pragma once

#include <mpi.h>

#include "assembly.hpp"
#include "parallel/exchange.hpp"

namespace tenken::elasticity {

// Planted mistakes (check.toml, faults), on one rank each.
struct Faults {
  bool drop_coupling = false;               // a block of the matrix beside the diagonal is lost, to another rank if any
  bool unsymmetric_preconditioner = false;  // a number of one diagonal block's inverse is wrong
  bool stale_halo = false;                  // what the first exchange brought is never renewed
};

class System {
 public:
  // Collective; the mesh stays with the caller.
  System(MPI_Comm comm, const Mesh& mesh, const Material& material, const Faults& faults);

  const Mesh& mesh() const { return mesh_; }
  const Matrix& matrix() const { return matrix_; }
  const Buffer<Block3>& inverse() const { return inverse_; }
  std::int64_t numbers() const { return 3 * mesh_.own(); }  // of a vector on this rank
  MPI_Comm comm() const { return comm_; }

  // The vector that apply() multiplies: own nodes, which the caller writes, then those of others.
  double* operand() { return operand_.data(); }
  void exchange();                                                                 // brings those of others
  void multiply(double* out) { tenken::multiply(matrix_, operand_.data(), out); }  // out = A operand
  void precondition(const double* r, double* z) const;                             // z = M^-1 r

  std::int64_t messages() const { return exchange_.messages(); }
  std::int64_t bytes_sent() const { return exchange_.bytes(); }
  std::int64_t bytes_received() const { return 24 * (mesh_.items() - mesh_.own()); }

 private:
  MPI_Comm comm_;
  const Mesh& mesh_;
  Matrix matrix_;
  Buffer<Block3> inverse_;
  Buffer<double> operand_;
  Exchange exchange_;
  bool stale_;
  std::vector<double> first_halo_;  // of a stale one
};

}  // namespace tenken::elasticity
