#include "orthonormal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/dft/linear_algebra.hpp"

namespace tenken::planewave {

namespace {

// Of what is left of a band: below it, its square is near the rounding of the products.
constexpr double least_for_a_factor = 1e-6;

Phase phase_of(dft::GramSchmidtPart part) {
  switch (part) {
    case dft::GramSchmidtPart::leaf:
      return Phase::wsw;
    case dft::GramSchmidtPart::leaf_sum:
      return Phase::wsw_allreduce;
    case dft::GramSchmidtPart::overlap:
      return Phase::w1sw2_dgemm1;
    case dft::GramSchmidtPart::overlap_sum:
      return Phase::w1sw2_allreduce;
    case dft::GramSchmidtPart::update:
      return Phase::modbppsi_dgemm1;
  }
  return Phase::wsw;
}

Work product_work(std::int64_t m, std::int64_t n, std::int64_t k) { return {.flop = 8 * m * n * k}; }

}  // namespace

Orthonormaliser::Orthonormaliser(const Groups& groups, Within within, Watch* watch)
    : groups_(groups), within_(within), watch_(watch), panels_(groups, watch) {}

void Orthonormaliser::watch(Watch* watch) {
  watch_ = watch;
  panels_.watch(watch);
}

void Orthonormaliser::enter(dft::GramSchmidtPart part, const Work& work) {
  if (watch_ != nullptr) watch_->enter(phase_of(part), work);
}

void Orthonormaliser::leave(dft::GramSchmidtPart part) {
  if (watch_ != nullptr) watch_->leave(phase_of(part));
}

void Orthonormaliser::add_up(Phase phase, Complex* numbers, std::int64_t n) {
  const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(Complex));
  const Timed timed(watch_, phase, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
  sum_over(groups_.along(Axis::waves), reinterpret_cast<double*>(numbers), 2 * n);
}

// Out of bands [first, first + count) of this group.
void Orthonormaliser::take_out(Range panel, const Complex* columns, const Columns& bands, std::int64_t first,
                               std::int64_t count) {
  const std::int64_t m = panel.size();
  if (count == 0) {  // this rank's share of the sum is empty, and so is that of all ranks of its group
    return;
  }
  overlap_.resize(static_cast<std::size_t>(m * count));
  Complex* const rest = bands.column(first);
  {
    const Timed timed(watch_, Phase::w1sw2_dgemm2, product_work(m, count, bands.waves));
    dft::inner_products(bands.waves, m, count, 1.0, columns, bands.rows, rest, bands.rows, overlap_.data(), m);
  }
  add_up(Phase::w1sw2_allreduce, overlap_.data(), m * count);
  const Timed timed(watch_, Phase::modbppsi_dgemm2, product_work(m, count, bands.rows));
  dft::combine(bands.rows, m, count, -1.0, columns, bands.rows, overlap_.data(), m, 1.0, rest, bands.rows);
}

// The least of what was left of a band; 0 where there is no such factor.
double Orthonormaliser::factor(std::int64_t count, const Columns& block) {
  double least = 1;
  for (int pass = 0; pass < 2; ++pass) {
    overlap_.resize(static_cast<std::size_t>(count * count));
    {
      const Timed timed(watch_, Phase::w1sw2_dgemm1, product_work(count, count, block.waves));
      dft::inner_products(block.waves, count, count, 1.0, block.data, block.rows, block.data, block.rows,
                          overlap_.data(), count);
    }
    add_up(Phase::w1sw2_allreduce, overlap_.data(), count * count);
    std::vector<double> norm;
    for (std::int64_t i = 0; i < count; ++i)
      norm.push_back(std::sqrt(overlap_[static_cast<std::size_t>(i * (count + 1))].real()));
    {
      const Timed timed(watch_, Phase::wsw, {.flop = 8 * count * count * count / 3});
      if (!dft::cholesky(count, overlap_.data())) return 0;
    }
    for (std::int64_t i = 0; pass == 0 && i < count; ++i) {
      const double left =
          overlap_[static_cast<std::size_t>(i * (count + 1))].real() / norm[static_cast<std::size_t>(i)];
      least = std::min(least, left);
    }
    if (!(least > least_for_a_factor)) return 0;  // nothing has been changed
    const Timed timed(watch_, Phase::modbppsi_dgemm1, {.flop = 4 * count * count * block.rows});
    dft::divide(block.rows, count, overlap_.data(), block.data, block.rows);
  }
  return least;
}

double Orthonormaliser::operator()(const BandSplit& split, const Columns& bands, const Columns* against) {
  const Timed timed(watch_, Phase::gs);
  if (against != nullptr) {
    panels_.each(split, *against, Phase::bcast1, Phase::bcast2,
                 [&](Range panel, const Complex* columns) { take_out(panel, columns, bands, 0, split.mine()); });
  }
  double least = 1;
  for (std::int64_t b = 0; b < split.blocks(); ++b) {
    const Range range = split.range(b);
    if (split.owner(b) == split.group) {
      const Columns block{bands.waves, bands.rows, bands.column(split.before(b))};
      double left = 0;
      if (within_ == Within::cholesky) left = factor(range.size(), block);
      // Also where bands are nearly combinations of others: they have no triangular factor to working precision.
      if (left == 0) {
        const auto sum = [&](double* numbers, std::size_t n) {
          sum_over(groups_.along(Axis::waves), numbers, static_cast<std::int64_t>(n));
        };
        dft::GramSchmidt<Complex> halves(sum, range.size(), this);
        halves(range.size(), bands.waves, bands.rows - bands.waves, 1.0, block.data);
        left = halves.least_left();
      }
      least = std::min(least, left);
    }
    if (b + 1 == split.blocks()) break;
    const Complex* const panel = panels_.send(split, bands, b, Phase::bcast1, Phase::bcast2);
    const std::int64_t first = split.before(b + 1);
    take_out(range, panel, bands, first, split.mine() - first);
  }
  double negative = -least;
  MPI_Allreduce(MPI_IN_PLACE, &negative, 1, MPI_DOUBLE, MPI_MAX, groups_.along(Axis::bands));
  return -negative;
}

}  // namespace tenken::planewave
