#include "numerics/dft/subspace.hpp"

#include <algorithm>
#include <utility>

#include "numerics/dft/gram_schmidt.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace tenken::dft {

Subspace::Subspace(std::int64_t bands, std::int64_t points, double dv, int threads, SameK same_k)
    : bands_(bands),
      points_(points),
      dv_(dv),
      same_k_(std::move(same_k)),
      team_(threads),
      matrix_(static_cast<std::size_t>(bands * bands)) {}

// Columns of this thread's bands.
void Subspace::fill_columns(const Hamiltonian& h, const double* potential, const Complex* u) {
  const Range of_rank = same_k_.part(bands_), of_thread = team_.share(of_rank.size());
  const Range mine{of_rank.first + of_thread.first, of_rank.first + of_thread.last};
  std::vector<Complex> image(static_cast<std::size_t>(std::min(mine.size(), images_at_once) * points_));
  for (std::int64_t first = mine.first; first < mine.last; first += images_at_once) {
    const std::int64_t last = std::min(mine.last, first + images_at_once);
    for (std::int64_t b = first; b < last; ++b)
      h.apply(potential, u + b * points_, image.data() + (b - first) * points_);
    inner_products(points_, bands_ - first, last - first, dv_, u + first * points_, points_, image.data(), points_,
                   matrix_.data() + first * (bands_ + 1), bands_);
  }
}

// u times the eigenvectors, in blocks of this thread's rows.
void Subspace::turn(Complex* u) const {
  constexpr std::int64_t rows_at_once = 256;
  const Range mine = team_.share(points_);
  std::vector<Complex> block(static_cast<std::size_t>(rows_at_once * bands_));
  for (std::int64_t first = mine.first; first < mine.last; first += rows_at_once) {
    const std::int64_t rows = std::min(mine.last - first, rows_at_once);
    combine(rows, bands_, bands_, 1.0, u + first, points_, matrix_.data(), bands_, 0.0, block.data(), rows);
    for (std::int64_t b = 0; b < bands_; ++b) std::copy_n(block.data() + b * rows, rows, u + b * points_ + first);
  }
}

void Subspace::rotate(const Hamiltonian& h, const double* potential, Complex* u, double* values) {
  GramSchmidt<Complex> orthonormalise(team_);
  const bool independent = orthonormalise(bands_, points_, dv_, u);
  orthonormalise(bands_, points_, dv_, u);  // filtered bands are far from orthogonal: once is not enough
  team_.wait();
  fill_columns(h, potential, u);
  team_.wait();
  if (team_.thread() == 0) {
    std::vector<double> found;
    auto* const numbers = reinterpret_cast<double*>(matrix_.data());
    if (same_k_.shared()) same_k_.gather(numbers, 2 * bands_, bands_);
    independent_ = independent_ && independent;
    diagonal_ = diagonalise(bands_, matrix_.data(), found) && diagonal_;
    std::copy(found.begin(), found.end(), values);
    if (same_k_.shared()) {
      same_k_.agree(numbers, 2 * bands_ * bands_);
      same_k_.agree(values, bands_);
    }
  }
  team_.wait();
  turn(u);
  team_.wait();
}

}  // namespace tenken::dft
