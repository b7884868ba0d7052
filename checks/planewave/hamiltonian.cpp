#include "hamiltonian.hpp"

#include <algorithm>

#include "numerics/dft/linear_algebra.hpp"

namespace tenken::planewave {

namespace {

std::unique_ptr<Sphere> sphere_of(const Groups& groups, const dft::Grid& grid, const dft::KPoint& k, double cut_off) {
  return std::make_unique<Sphere>(grid, k.k, cut_off, RankGrid{groups.grid().rows, groups.grid().columns},
                                  groups.wave_rank());
}

}  // namespace

Hamiltonian::Hamiltonian(const Groups& groups, const dft::Grid& grid, const std::vector<dft::Atom>& atoms,
                         const dft::KPoint& k, double cut_off, int merge, bool conjugate, Watch* watch)
    : groups_(groups),
      k_(k),
      sphere_(sphere_of(groups, grid, k, cut_off)),
      projectors_(grid, atoms, k.k, *sphere_, conjugate),
      transform_(
          std::make_unique<Transform>(*sphere_, groups.along(Axis::rows), groups.along(Axis::columns), merge, watch)),
      merge_(merge),
      watch_(watch),
      points_(static_cast<std::size_t>(merge * sphere_->points()), Pages::huge, "bands in real space") {}

void Hamiltonian::watch(Watch* watch) {
  watch_ = watch;
  transform_->watch(watch);
}

void Hamiltonian::project(std::int64_t count, const Columns& bands) {
  const std::int64_t n = projectors_.count(), waves = bands.waves;
  if (n == 0 || count == 0) return;
  products_.resize(static_cast<std::size_t>(n * count));
  const Timed gs(watch_, Phase::gs);
  {
    const Timed timed(watch_, Phase::gs_products, {.flop = 8 * n * count * waves});
    dft::inner_products(waves, n, count, 1.0, projectors_.waves(), waves, bands.data, bands.rows, products_.data(), n);
  }
  {
    const std::int64_t bytes = n * count * static_cast<std::int64_t>(sizeof(Complex));
    const Timed timed(watch_, Phase::gs_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
    sum_over(groups_.along(Axis::waves), reinterpret_cast<double*>(products_.data()), 2 * n * count);
  }
  for (std::int64_t b = 0; b < count; ++b) std::copy_n(products_.data() + b * n, n, bands.column(b) + waves);
}

void Hamiltonian::apply(const std::vector<double>& potential, std::int64_t count, const Columns& bands,
                        Complex* images) {
  const std::int64_t waves = bands.waves, points = sphere_->points(), n = projectors_.count();
  for (std::int64_t first = 0; first < count; first += merge_) {
    const int some = static_cast<int>(std::min<std::int64_t>(merge_, count - first));
    transform_->to_points(some, bands.column(first), bands.rows, points_.data());
    {
      const std::int64_t bytes = some * points * static_cast<std::int64_t>(sizeof(Complex));
      const Timed timed(watch_, Phase::local, {.flop = 2 * some * points, .bytes_read = bytes, .bytes_written = bytes});
#pragma omp parallel for collapse(2)
      for (int b = 0; b < some; ++b)
        for (std::int64_t i = 0; i < points; ++i)
          points_[static_cast<std::size_t>(b * points + i)] *= potential[static_cast<std::size_t>(i)];
    }
    transform_->to_waves(some, points_.data(), images + first * waves, waves);
  }
  if (count == 0) return;
  const Timed timed(watch_, Phase::nonlocal, {.flop = (4 + 8 * n) * count * waves});
  const double* const kinetic = sphere_->kinetic().data();
#pragma omp parallel for
  for (std::int64_t b = 0; b < count; ++b) {
    const Complex* const from = bands.column(b);
    Complex* const to = images + b * waves;
    std::fill_n(to, lost_, Complex{});
    for (std::int64_t w = 0; w < waves; ++w) to[w] += kinetic[w] * from[w];
  }
  if (n == 0) return;
  products_.resize(static_cast<std::size_t>(n * count));
  for (std::int64_t b = 0; b < count; ++b)
    for (std::int64_t p = 0; p < n; ++p)
      products_[static_cast<std::size_t>(b * n + p)] =
          projectors_.strength()[static_cast<std::size_t>(p)] * bands.column(b)[waves + p];
  dft::combine(waves, n, count, 1.0, projectors_.waves(), waves, products_.data(), n, 1.0, images, waves);
}

void Hamiltonian::add_density(double weight, std::int64_t count, const Columns& bands, std::vector<double>& density) {
  const std::int64_t points = sphere_->points();
  for (std::int64_t first = 0; first < count; first += merge_) {
    const int some = static_cast<int>(std::min<std::int64_t>(merge_, count - first));
    transform_->to_points(some, bands.column(first), bands.rows, points_.data());
    const Timed timed(watch_, Phase::density, {.flop = 5 * some * points});
#pragma omp parallel for
    for (std::int64_t i = 0; i < points; ++i)
      for (int b = 0; b < some; ++b)
        density[static_cast<std::size_t>(i)] += weight * std::norm(points_[static_cast<std::size_t>(b * points + i)]);
  }
}

std::int64_t Hamiltonian::bytes() const {
  const std::int64_t numbers = projectors_.count() * sphere_->waves() + merge_ * sphere_->points();
  return numbers * static_cast<std::int64_t>(sizeof(Complex));
}

}  // namespace tenken::planewave
