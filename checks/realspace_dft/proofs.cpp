#include "proofs.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "numerics/dft/hamiltonian.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace tenken::realspace {

namespace {

std::vector<double> random_block(const Domain& domain, std::uint64_t seed, std::uint64_t stream) {
  const RandomStream random(seed, stream);
  std::vector<double> block;
  for (const std::int64_t point : domain.grid_points())
    block.push_back(random.uniform(static_cast<std::uint64_t>(point)) - 0.5);
  return block;
}

double product(const Domain& domain, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  domain.sum(&sum, 1);
  return sum;
}

}  // namespace

double hamiltonian_error(const Domain& domain, const dft::System& system, Ground& ground, std::uint64_t seed) {
  const std::vector<double> u = random_block(domain, seed, 11);
  std::vector<double> image(u.size());
  ground.hamiltonian().apply(1, ground.own_potential().data(), u.data(), image.data());
  const RandomStream random(seed, 11);
  std::vector<dft::Complex> whole, exact(static_cast<std::size_t>(system.grid.size()));
  for (std::int64_t i = 0; i < system.grid.size(); ++i)
    whole.emplace_back(random.uniform(static_cast<std::uint64_t>(i)) - 0.5);
  dft::Hamiltonian(system, {0, 0, 0}, dft::apply_plain).apply(ground.potential().data(), whole.data(), exact.data());
  double wrong = 0, greatest = 0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double off = std::abs(image[i] - exact[static_cast<std::size_t>(domain.grid_points()[i])]);
    if (!(off <= wrong)) wrong = off;
  }
  for (const dft::Complex& value : exact) greatest = std::max(greatest, std::abs(value));
  return wrong / greatest;
}

double hermiticity_error(const Domain& domain, Ground& ground, std::uint64_t seed) {
  const std::vector<double> u = random_block(domain, seed, 12), v = random_block(domain, seed, 13);
  std::vector<double> image_u(u.size()), image_v(u.size());
  const std::vector<double> potential = ground.own_potential();
  ground.hamiltonian().apply(1, potential.data(), u.data(), image_u.data());
  ground.hamiltonian().apply(1, potential.data(), v.data(), image_v.data());
  const double off = product(domain, v, image_u) - product(domain, u, image_v);
  return std::abs(off) / std::sqrt(product(domain, u, u) * product(domain, image_v, image_v));
}

double orthonormality_error(const Domain& domain, Ground& ground) {
  ground.orthonormalise();
  const std::int64_t n = ground.count(), points = domain.points();
  std::vector<double> products(static_cast<std::size_t>(n * n));
  dft::inner_products(points, n, n, domain.grid().point_volume(), ground.bands(), points, ground.bands(), points,
                      products.data(), n);
  domain.sum(products.data(), n * n);
  double wrong = 0;
  for (std::int64_t a = 0; a < n; ++a)
    for (std::int64_t b = 0; b < n; ++b) {
      const double off = std::abs(products[static_cast<std::size_t>(a * n + b)] - (a == b ? 1 : 0));
      if (!(off <= wrong)) wrong = off;
    }
  return wrong;
}

double band_residual(const Domain& domain, const dft::System& system, Ground& ground) {
  const std::int64_t points = domain.points(), last = std::min<std::int64_t>(ground.own().last, system.bands() + 1);
  const std::vector<double> potential = ground.own_potential();
  std::vector<double> image(static_cast<std::size_t>(points));
  double greatest = 0;
  for (std::int64_t band = ground.own().first; band < last; ++band) {
    const double* const u = ground.bands() + band * points;
    ground.hamiltonian().apply(1, potential.data(), u, image.data());
    double square = 0;
    for (std::int64_t i = 0; i < points; ++i) {
      const double off =
          image[static_cast<std::size_t>(i)] - ground.eigenvalues()[static_cast<std::size_t>(band)] * u[i];
      square += off * off * system.grid.point_volume();
    }
    domain.sum(&square, 1);
    if (!(std::sqrt(square) <= greatest)) greatest = std::sqrt(square);  // a NaN, too
  }
  return greatest;
}

}  // namespace tenken::realspace
