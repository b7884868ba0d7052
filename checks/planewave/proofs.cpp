#include "proofs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "twin.hpp"

namespace tenken::planewave {

namespace {

using std::numbers::pi;

// Chosen waves, of all ranks that share the waves: each gives as many of its own.
constexpr std::size_t chosen_a_rank = 3;

double greatest_over(MPI_Comm comm, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm);
  return value;
}

struct Chosen {
  std::array<int, 3> wave;
  Complex image;
};

// Of all ranks that share the waves.
std::vector<Chosen> chosen_waves(const Groups& groups, const Sphere& sphere, const std::vector<Complex>& image) {
  std::vector<Chosen> own;
  const auto waves = static_cast<std::size_t>(sphere.waves());
  for (std::size_t i = 0; i < chosen_a_rank; ++i) {
    const std::size_t w = i * (waves - 1) / chosen_a_rank;
    own.push_back({sphere.frequency()[w], image[w]});
  }
  std::vector<Chosen> all(own.size() * static_cast<std::size_t>(groups.grid().waves()));
  const int bytes = static_cast<int>(own.size() * sizeof(Chosen));
  MPI_Allgather(own.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, groups.along(Axis::waves));
  return all;
}

double hamiltonian_error_at(const Groups& groups, const dft::System& system, Ground& ground, std::size_t k,
                            const LocalOfWaves& local) {
  Hamiltonian& h = *ground.hamiltonians()[k];
  const Sphere& sphere = h.sphere();
  const Columns bands = ground.orbitals()[k].columns();
  if (ground.split().mine() == 0) return 0;
  std::vector<Complex> image(static_cast<std::size_t>(sphere.waves()));
  h.apply(ground.own_potential(sphere), 1, bands, image.data());
  const std::vector<Chosen> chosen = chosen_waves(groups, sphere, image);
  const NonlocalOfWaves nonlocal(system);
  const auto q_of = [&](const std::array<int, 3>& f) {
    dft::Vector q;
    for (std::size_t d = 0; d < 3; ++d) q[d] = h.k().k[d] + 2 * pi * f[d] / system.grid.cell[d];
    return q;
  };
  std::vector<Complex> sums(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const dft::Vector q = q_of(chosen[i].wave);
    for (std::size_t w = 0; w < image.size(); ++w) {
      const std::array<int, 3>& other = sphere.frequency()[w];
      const std::array<int, 3> off{chosen[i].wave[0] - other[0], chosen[i].wave[1] - other[1],
                                   chosen[i].wave[2] - other[2]};
      Complex element = local(off) + nonlocal(q, q_of(other));
      if (off == std::array<int, 3>{}) element += (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / 2;
      sums[i] += element * bands.data[w];
    }
  }
  sum_over(groups.along(Axis::waves), reinterpret_cast<double*>(sums.data()),
           static_cast<std::int64_t>(2 * sums.size()));
  double wrong = 0, greatest = 0;
  for (const Complex& value : image) greatest = std::max(greatest, std::abs(value));
  greatest = greatest_over(groups.along(Axis::waves), greatest);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    wrong = worse(wrong, std::abs(sums[i] - chosen[i].image));
  }
  return wrong / greatest;
}

}  // namespace

double transform_error(const Groups& groups, Hamiltonian& h, std::uint64_t seed) {
  const Sphere& sphere = h.sphere();
  const auto waves = static_cast<std::size_t>(sphere.waves()), points = static_cast<std::size_t>(sphere.points());
  std::vector<Complex> before(waves), after(waves), real(points);
  const RandomStream random(seed, static_cast<std::uint64_t>(7 + groups.wave_rank()));
  for (std::size_t w = 0; w < waves; ++w) before[w] = {random.uniform(2 * w) - 0.5, random.uniform(2 * w + 1) - 0.5};
  h.transform().to_points(1, before.data(), sphere.waves(), real.data());
  double sums[2]{};
  for (const Complex& value : before) sums[0] += std::norm(value);
  for (const Complex& value : real) sums[1] += std::norm(value) / static_cast<double>(sphere.grid().size());
  h.transform().to_waves(1, real.data(), after.data(), sphere.waves());
  double wrong = 0;
  for (std::size_t w = 0; w < waves; ++w) wrong = worse(wrong, std::abs(after[w] - before[w]));
  sum_over(groups.along(Axis::waves), sums, 2);
  return worse(wrong, std::abs(sums[1] / sums[0] - 1));
}

double hamiltonian_error(const Groups& groups, const dft::System& system, Ground& ground) {
  const LocalOfWaves local(system.grid, ground.potential());
  return hamiltonian_error_at(groups, system, ground, 0, local);
}

double orthonormality_error(const Groups& groups, Ground& ground) {
  const BandSplit& split = ground.split();
  double wrong = 0;
  for (Orbitals& orbitals : ground.orbitals()) {
    const Columns bands = orbitals.columns();
    ground.orthonormaliser()(split, bands);
    Panels panels(groups, nullptr);
    panels.each(split, bands, Phase::bcast1, Phase::bcast2, [&](Range panel, const Complex* columns) {
      std::vector<Complex> products(static_cast<std::size_t>(panel.size() * split.mine()));
      if (products.empty()) return;
      dft::inner_products(bands.waves, panel.size(), split.mine(), 1.0, columns, bands.rows, bands.data, bands.rows,
                          products.data(), panel.size());
      sum_over(groups.along(Axis::waves), reinterpret_cast<double*>(products.data()),
               static_cast<std::int64_t>(2 * products.size()));
      for (std::int64_t b = 0; b < split.mine(); ++b)
        for (std::int64_t a = 0; a < panel.size(); ++a) {
          const double exact = panel.first + a == split.band(b) ? 1 : 0;
          const double off = std::abs(products[static_cast<std::size_t>(b * panel.size() + a)] - exact);
          wrong = worse(wrong, off);
        }
    });
  }
  return wrong;
}

double products_error(Ground& ground) {
  const std::int64_t mine = ground.split().mine();
  double wrong = 0, greatest = 1e-300;
  for (Orbitals& orbitals : ground.orbitals()) {
    const Columns bands = orbitals.columns();
    std::vector<Complex> copy(bands.data, bands.data + mine * bands.rows);
    const Columns again{bands.waves, bands.rows, copy.data()};
    orbitals.of->project(mine, again);
    for (std::int64_t b = 0; b < mine; ++b)
      for (std::int64_t p = bands.waves; p < bands.rows; ++p) {
        const double off = std::abs(bands.column(b)[p] - again.column(b)[p]);
        wrong = worse(wrong, off);
        greatest = std::max(greatest, std::abs(again.column(b)[p]));
      }
  }
  return wrong / greatest;
}

}  // namespace tenken::planewave
