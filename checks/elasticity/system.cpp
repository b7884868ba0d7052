#include "system.hpp"

#include <algorithm>

namespace tenken::elasticity {

namespace {

// The first block beside the diagonal, of a row in the middle, becomes 0.
void drop_coupling(Matrix& matrix) {
  const std::int64_t row = matrix.rows / 2;
  std::int64_t slot = matrix.begin[static_cast<std::size_t>(row / matrix.c)] + row % matrix.c;
  if (matrix.column[static_cast<std::size_t>(slot)] == row) slot += matrix.c;
  for (int e = 0; e < 9; ++e) matrix.value[static_cast<std::size_t>(matrix.place(slot, e / 3, e % 3))] = 0;
}

}  // namespace

System::System(MPI_Comm comm, const Mesh& mesh, const Material& material, const Faults& faults)
    : comm_(comm),
      mesh_(mesh),
      matrix_(assembled(mesh, material)),
      inverse_(inverse_diagonal(matrix_)),
      operand_(make_array<double>(3 * mesh.items(), "the vector that is multiplied")),
      exchange_(comm, mesh.lists(), {{3 * sizeof(double), operand_.data()}}),
      stale_(faults.stale_halo) {
  if (faults.drop_coupling) drop_coupling(matrix_);
  if (faults.unsymmetric_preconditioner) {
    Block3& one = inverse_[inverse_.size() / 2];
    one(2, 1) += 0.25 * one(2, 2);
  }
}

void System::exchange() {
  exchange_.pack(0, operand_.data());
  exchange_.start();
  exchange_.wait_incoming();
  exchange_.unpack(0, operand_.data());
  exchange_.wait_outgoing();
  if (!stale_) return;
  double* const halo = operand_.data() + numbers();
  if (first_halo_.empty()) {
    first_halo_.assign(halo, operand_.data() + operand_.size());
  } else {
    std::copy(first_halo_.begin(), first_halo_.end(), halo);
  }
}

void System::precondition(const double* r, double* z) const { tenken::multiply(mesh_.own(), inverse_.data(), r, z); }

}  // namespace tenken::elasticity
