#include "hamiltonian.hpp"

#include <algorithm>

#include "numerics/dft/hamiltonian.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace tenken::realspace {

namespace {

std::vector<Field> fields(int batch) {
  return std::vector<Field>(static_cast<std::size_t>(batch), Field{sizeof(double)});
}

}  // namespace

Hamiltonian::Hamiltonian(const Domain& domain, const dft::System& system, int batch, Watch* watch)
    : domain_(domain),
      batch_(batch),
      watch_(watch),
      dv_(system.grid.point_volume()),
      exchange_(domain.group(), halo_lists<3>(domain.partition(), reach, Reach::faces), fields(batch)),
      padded_(static_cast<std::size_t>(batch * domain.padded_points()), Pages::huge, "bands with their halos") {
  const dft::Hamiltonian whole(system, {0, 0, 0}, {});
  diagonal_ = whole.stencil().diagonal;
  second_half_ = whole.stencil().second_half;
  largest_ = whole.largest(0);
  for (const dft::AtomProjectors& atom : system.projectors) {
    OfAtom own{{}, {}, atom.strength, channels_};
    channels_ += atom.channels();
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < atom.point.size(); ++i) {
      const std::int64_t point = domain.own(atom.point[i]);
      if (point < 0) continue;
      kept.push_back(i);
      own.point.push_back(static_cast<std::int32_t>(point));
    }
    if (kept.empty()) continue;
    for (std::size_t c = 0; c < atom.strength.size(); ++c)
      for (const std::size_t i : kept) own.value.push_back(atom.value[c * atom.point.size() + i]);
    atoms_.push_back(std::move(own));
  }
}

std::int64_t Hamiltonian::bytes() const {
  std::size_t numbers = padded_.size();
  for (const OfAtom& atom : atoms_) numbers += atom.value.size() + atom.point.size();
  return static_cast<std::int64_t>(numbers * sizeof(double));
}

// Bands into the blocks with halos, and these from the neighbours.
void Hamiltonian::fill(int bands, const double* in) {
  const auto n = domain_.extents(), p = domain_.padded();
#pragma omp parallel for collapse(2)
  for (int band = 0; band < bands; ++band)
    for (int x = 0; x < n[0]; ++x)
      for (int y = 0; y < n[1]; ++y)
        std::copy_n(in + band * domain_.points() + (std::int64_t{x} * n[1] + y) * n[2], n[2],
                    padded(band) + (std::int64_t{x + reach} * p[1] + y + reach) * p[2] + reach);
  const std::int64_t bytes = exchange_.bytes();
  const Timed timed(watch_, Phase::halo,
                    {.bytes_read = bytes, .bytes_written = bytes, .messages = exchange_.messages()});
  for (int band = 0; band < batch_; ++band) exchange_.pack(static_cast<std::size_t>(band), padded(band));
  exchange_.start();
  exchange_.wait_incoming();
  int rank = 0, ranks = 0;
  MPI_Comm_rank(domain_.group(), &rank);
  MPI_Comm_size(domain_.group(), &ranks);
  if (!stale_ || rank + 1 < ranks)
    for (int band = 0; band < batch_; ++band) exchange_.unpack(static_cast<std::size_t>(band), padded(band));
  exchange_.wait_outgoing();
}

void Hamiltonian::differences(int bands, const double* potential, double* out) {
  const auto n = domain_.extents(), p = domain_.padded();
  const std::int64_t points = domain_.points();
  const std::array<std::int64_t, 3> step{std::int64_t{p[1]} * p[2], p[2], 1};
  // 12 pairs: a sum, a product and a sum; potential and diagonal.
  const Timed timed(
      watch_, Phase::stencil,
      {.flop = 39 * bands * points, .bytes_read = 8 * bands * points, .bytes_written = 8 * bands * points});
#pragma omp parallel for collapse(2)
  for (int band = 0; band < bands; ++band)
    for (int x = 0; x < n[0]; ++x)
      for (int y = 0; y < n[1]; ++y) {
        const std::int64_t row = (std::int64_t{x} * n[1] + y) * n[2];
        const double* const u = padded(band) + (std::int64_t{x + reach} * p[1] + y + reach) * p[2] + reach;
        const double* const v = potential + row;
        double* const to = out + band * points + row;
#pragma omp simd
        for (int z = 0; z < n[2]; ++z) {
          double sum = (diagonal_ + v[z]) * u[z];
          for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t j = 0; j < 4; ++j) {
              const std::int64_t off = static_cast<std::int64_t>(j + 1) * step[d];
              sum += second_half_[d][j] * (u[z + off] + u[z - off]);
            }
          to[z] = sum;
        }
      }
}

// products_: [band][channel of all atoms], summed over the group.
void Hamiltonian::project(int bands, const double* in) {
  products_.assign(static_cast<std::size_t>(channels_ * bands), 0);
  if (channels_ == 0) return;
  std::int64_t flop = 0;
  for (const OfAtom& atom : atoms_) flop += 2 * bands * static_cast<std::int64_t>(atom.value.size());
  {
    const Timed timed(watch_, Phase::nonlocal, {.flop = flop});
    for (const OfAtom& atom : atoms_) {
      const auto points = static_cast<std::int64_t>(atom.point.size());
      const auto own = static_cast<std::int64_t>(atom.strength.size());
      gathered_.resize(static_cast<std::size_t>(points * bands));
      for (int band = 0; band < bands; ++band)
        for (std::int64_t i = 0; i < points; ++i)
          gathered_[static_cast<std::size_t>(band * points + i)] =
              in[band * domain_.points() + atom.point[static_cast<std::size_t>(i)]];
      dft::inner_products(points, own, bands, dv_, atom.value.data(), points, gathered_.data(), points,
                          products_.data() + atom.first, channels_);
    }
  }
  const std::int64_t bytes = 8 * channels_ * bands;
  const Timed timed(watch_, Phase::nonlocal_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
  domain_.sum(products_.data(), channels_ * bands);
}

void Hamiltonian::add_nonlocal(int bands, double* out) {
  std::int64_t flop = 0;
  for (const OfAtom& atom : atoms_) flop += 2 * bands * static_cast<std::int64_t>(atom.value.size());
  const Timed timed(watch_, Phase::nonlocal, {.flop = flop});
  std::vector<double> scaled;
  for (const OfAtom& atom : atoms_) {
    const auto points = static_cast<std::int64_t>(atom.point.size());
    const auto own = static_cast<std::int64_t>(atom.strength.size());
    scaled.resize(static_cast<std::size_t>(own * bands));
    for (int band = 0; band < bands; ++band)
      for (std::int64_t c = 0; c < own; ++c)
        scaled[static_cast<std::size_t>(band * own + c)] =
            atom.strength[static_cast<std::size_t>(c)] *
            products_[static_cast<std::size_t>(band * channels_ + atom.first + c)];
    gathered_.resize(static_cast<std::size_t>(points * bands));
    dft::combine(points, own, bands, 1.0, atom.value.data(), points, scaled.data(), own, 0.0, gathered_.data(), points);
    for (int band = 0; band < bands; ++band)
      for (std::int64_t i = 0; i < points; ++i)
        out[band * domain_.points() + atom.point[static_cast<std::size_t>(i)]] +=
            gathered_[static_cast<std::size_t>(band * points + i)];
  }
}

void Hamiltonian::apply(int bands, const double* potential, const double* in, double* out) {
  fill(bands, in);
  differences(bands, potential, out);
  project(bands, in);
  add_nonlocal(bands, out);
}

void Hamiltonian::energies(int bands, const double* in, double* kinetic, double* nonlocal) {
  const std::int64_t points = domain_.points();
  const std::vector<double> none(static_cast<std::size_t>(points));
  std::vector<double> image(static_cast<std::size_t>(bands * points));
  fill(bands, in);
  differences(bands, none.data(), image.data());
  project(bands, in);
  for (int band = 0; band < bands; ++band) {
    kinetic[band] = nonlocal[band] = 0;
    for (std::int64_t i = 0; i < points; ++i)
      kinetic[band] += dv_ * in[band * points + i] * image[static_cast<std::size_t>(band * points + i)];
  }
  std::fill(image.begin(), image.end(), 0.0);
  add_nonlocal(bands, image.data());
  for (int band = 0; band < bands; ++band)
    for (std::int64_t i = 0; i < points; ++i)
      nonlocal[band] += dv_ * in[band * points + i] * image[static_cast<std::size_t>(band * points + i)];
}

}  // namespace tenken::realspace
