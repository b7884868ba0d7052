#include "state.hpp"

#include <cmath>

namespace iccg {

using tenken::Range;

State::State(const tenken::Coloured& matrix, std::span<const double> rhs, Faults faults)
    : a(matrix),
      shares(a, omp_get_max_threads()),
      b(make_vector(a, "right side")),
      x(make_vector(a, "x")),
      r(make_vector(a, "r")),
      z(make_vector(a, "z")),
      p(make_vector(a, "p")),
      q(make_vector(a, "q")),
      unsymmetric_(faults.unsymmetric_preconditioner),
      partial_(static_cast<std::size_t>(shares.threads())) {
  gather_rows(a, rhs.data(), b.data());
  double bb = 0;
  for (int thread = 0; thread < shares.threads(); ++thread) bb += shares.dot(thread, b, b);
  of_b = std::sqrt(bb);
  residuals.reserve(most_iterations);
  start();
}

void State::start() {
#pragma omp parallel num_threads(shares.threads())
  shares.over_rows(omp_get_thread_num(), [&](Range rows) {
    for (std::int64_t i = rows.first; i < rows.last; ++i) {
      r.data()[i] = b.data()[i];
      x.data()[i] = p.data()[i] = z.data()[i] = 0;
    }
  });
  rho = 0;
  end = End::none;
  residuals.assign(1, 1.0);
}

void State::backward(Range chunks) {
  tenken::backward(chunks, a, z.data());
  // Twice the coupling of one row: its transposed partner, in the forward substitution, knows nothing of that.
  if (unsymmetric_ && chunks.first == 0 && chunks.last > 0) {
    if (a.upper.begin[1] == 0) return;
    z[0] -= a.inverse[0] * a.upper.factors()[0] * z[static_cast<std::size_t>(a.upper.column[0])];
  }
}

}  // namespace iccg
