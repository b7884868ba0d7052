#include "system.hpp"

#include <algorithm>

namespace tenken::elasticity {

namespace {

// A block that is not 0 becomes 0: the last to a node of another rank, else one of a row in the middle, which is lost
// in both directions.
void drop_coupling(Matrix& matrix) {
  const auto at = [&](std::int64_t slot, int e) -> double& {
    return matrix.value[static_cast<std::size_t>(matrix.place(slot, e / 3, e % 3))];
  };
  std::int64_t dropped = 0;
  const auto search = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t slot = first; slot < last; ++slot) {
      for (int e = 0; e < 9; ++e) dropped = at(slot, e) != 0 ? slot : dropped;
    }
  };
  const auto middle = static_cast<std::size_t>(matrix.chunks / 2);
  search(matrix.begin[middle] + matrix.c, matrix.outside[middle]);
  for (std::size_t k = 0; k < matrix.outside.size(); ++k) search(matrix.outside[k], matrix.begin[k + 1]);
  for (int e = 0; e < 9; ++e) at(dropped, e) = 0;
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
