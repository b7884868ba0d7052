#include "orthonormal.hpp"

#include <algorithm>

#include "numerics/dft/linear_algebra.hpp"

namespace tenken::realspace {

namespace {

Phase phase_of(dft::GramSchmidtPart part) {
  switch (part) {
    case dft::GramSchmidtPart::leaf:
      return Phase::leaf;
    case dft::GramSchmidtPart::leaf_sum:
      return Phase::leaf_allreduce;
    case dft::GramSchmidtPart::overlap:
      return Phase::dgemm1;
    case dft::GramSchmidtPart::overlap_sum:
      return Phase::allreduce1;
    case dft::GramSchmidtPart::update:
      return Phase::dgemm2;
  }
  return Phase::leaf;
}

}  // namespace

// The two products and the sum between them are GS/MM.
void Orthonormaliser::enter(dft::GramSchmidtPart part, const Work& work) {
  of_overlaps_ = part == dft::GramSchmidtPart::overlap_sum;
  if (watch_ == nullptr) return;
  if (part == dft::GramSchmidtPart::overlap) watch_->enter(Phase::mm, {});
  watch_->enter(phase_of(part), work);
}

void Orthonormaliser::leave(dft::GramSchmidtPart part) {
  if (watch_ == nullptr) return;
  watch_->leave(phase_of(part));
  if (part == dft::GramSchmidtPart::update) watch_->leave(Phase::mm);
}

void Orthonormaliser::gather(std::int64_t count, const std::vector<Range>& own_of_group, double* bands) {
  const auto points = domain_.points();
  if (own_of_group.size() == 1) return;
  std::vector<int> counts, firsts;
  for (const Range& own : own_of_group) {
    counts.push_back(static_cast<int>(own.size()));
    firsts.push_back(static_cast<int>(own.first));
  }
  const std::int64_t bytes = 8 * points, mine = own_of_group[static_cast<std::size_t>(domain_.number())].size();
  const Timed timed(watch_, Phase::allgatherv,
                    {.bytes_read = bytes * (count - mine), .bytes_written = bytes * mine, .messages = 1});
  MPI_Datatype band = MPI_DATATYPE_NULL;  // counts of bands stay small
  MPI_Type_contiguous(static_cast<int>(points), MPI_DOUBLE, &band);
  MPI_Type_commit(&band);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bands, counts.data(), firsts.data(), band, domain_.across());
  MPI_Type_free(&band);
}

// Bands [first, last) less their parts along a block.
void Orthonormaliser::take_out(Range block, std::int64_t first, std::int64_t last, double* bands) {
  const std::int64_t m = block.size(), n = last - first, points = domain_.points();
  overlap_.resize(static_cast<std::size_t>(m * n));
  const double* const done = bands + block.first * points;
  double* const rest = bands + first * points;
  const Timed mm(watch_, Phase::mm);
  {
    const Timed timed(watch_, Phase::dgemm1, {.flop = 2 * m * n * points});
    dft::inner_products(points, m, n, domain_.grid().point_volume(), done, points, rest, points, overlap_.data(), m);
  }
  {
    const std::int64_t bytes = 8 * m * n;
    const Timed timed(watch_, Phase::allreduce1, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
    if (!lost_) domain_.sum(overlap_.data(), m * n);
  }
  const Timed timed(watch_, Phase::dgemm2, {.flop = 2 * m * n * points});
  dft::combine(points, m, n, -1.0, done, points, overlap_.data(), m, 1.0, rest, points);
}

double Orthonormaliser::operator()(std::int64_t count, const std::vector<Range>& own_of_group, double* bands) {
  const Timed timed(watch_, Phase::gram_schmidt);
  gather(count, own_of_group, bands);
  const std::int64_t points = domain_.points(), blocks = (count + block_ - 1) / block_;
  const auto groups = static_cast<std::int64_t>(own_of_group.size());
  const auto range = [&](std::int64_t b) { return Range{b * block_, std::min(count, (b + 1) * block_)}; };
  double least = 1;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const Range block = range(b);
    double* const first = bands + block.first * points;
    if (b % groups == domain_.number()) {
      const auto sum = [&](double* numbers, std::size_t n) {
        if (!lost_ || !of_overlaps_) domain_.sum(numbers, static_cast<std::int64_t>(n));
      };
      dft::GramSchmidt<double> halves(sum, block.size(), this);
      halves(block.size(), points, domain_.grid().point_volume(), first);
      least = std::min(least, halves.least_left());
    }
    if (groups > 1) {
      const bool sends = b % groups == domain_.number();
      const std::int64_t bytes = 8 * block.size() * points;
      const Timed sent(watch_, Phase::bcast,
                       {.bytes_read = sends ? 0 : bytes, .bytes_written = sends ? bytes : 0, .messages = 1});
      MPI_Datatype band = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(static_cast<int>(points), MPI_DOUBLE, &band);
      MPI_Type_commit(&band);
      MPI_Bcast(first, static_cast<int>(block.size()), band, static_cast<int>(b % groups), domain_.across());
      MPI_Type_free(&band);
    }
    // One product for all later bands of a single group, whose blocks follow each other.
    if (groups == 1) {
      if (block.last < count) take_out(block, block.last, count, bands);
      continue;
    }
    for (std::int64_t later = b + 1; later < blocks; ++later)
      if (later % groups == domain_.number()) take_out(block, range(later).first, range(later).last, bands);
  }
  double negative = -least;
  MPI_Allreduce(MPI_IN_PLACE, &negative, 1, MPI_DOUBLE, MPI_MAX, domain_.across());
  return -negative;
}

}  // namespace tenken::realspace
