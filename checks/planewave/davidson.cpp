#include "davidson.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/dft/linear_algebra.hpp"

namespace tenken::planewave {

namespace {

// Counter of a wave that does not depend on ranks.
std::uint64_t counter(const std::array<int, 3>& frequency) {
  std::uint64_t n = 0;
  for (const int f : frequency) n = n * 65536 + static_cast<std::uint64_t>(f + 32768);
  return n;
}

// Smooth random waves.
void fill_random(const Sphere& sphere, std::uint64_t seed, std::uint64_t stream, double size, Complex* band) {
  const RandomStream random(seed, stream);
  for (std::int64_t w = 0; w < sphere.waves(); ++w) {
    const std::uint64_t n = counter(sphere.frequency()[static_cast<std::size_t>(w)]);
    const double damped = 1 + sphere.kinetic()[static_cast<std::size_t>(w)];
    band[w] += size / (damped * damped) * Complex{random.uniform(2 * n) - 0.5, random.uniform(2 * n + 1) - 0.5};
  }
}

// K of Teter, Payne and Allan; x: kinetic energy of a wave over that of its band.
double precondition(double x) {
  const double above = 27 + x * (18 + x * (12 + 8 * x));
  return above / (above + 16 * x * x * x * x);
}

constexpr double near_dependent = 1e-4, dependent = 1e-10;

}  // namespace

Orbitals::Orbitals(Hamiltonian& hamiltonian, const BandSplit& split, std::uint64_t seed, std::int64_t number)
    : of(&hamiltonian),
      data(static_cast<std::size_t>(split.mine() * hamiltonian.rows()), Pages::huge, "the bands"),
      eigenvalue(static_cast<std::size_t>(split.count)) {
  for (std::int64_t b = 0; b < split.mine(); ++b) {
    fill_random(of->sphere(), seed, static_cast<std::uint64_t>(number * split.count + split.band(b)), 1,
                columns().column(b));
  }
  of->project(split.mine(), columns());
}

Davidson::Davidson(const Groups& groups, const BandSplit& split, std::int64_t shown, std::int64_t most_waves,
                   std::int64_t most_rows, Within within, Eigen eigen, std::uint64_t seed, Watch* watch)
    : groups_(groups),
      split_(split),
      shown_(shown),
      eigen_(eigen),
      seed_(seed),
      watch_(watch),
      orthonormal_(groups, within, watch),
      panels_(groups, watch) {
  const auto rows = static_cast<std::size_t>(split.mine() * most_rows);
  const auto waves = static_cast<std::size_t>(split.mine() * most_waves);
  found_ = Buffer<Complex>(rows, Pages::huge, "search directions");
  rotated_ = Buffer<Complex>(rows, Pages::huge, "rotated bands");
  images_ = Buffer<Complex>(waves, Pages::huge, "images of bands");
  images_of_found_ = Buffer<Complex>(waves, Pages::huge, "images of search directions");
}

void Davidson::watch(Watch* watch) {
  watch_ = watch;
  orthonormal_.watch(watch);
  panels_.watch(watch);
}

std::int64_t Davidson::bytes() const {
  const std::size_t numbers = found_.size() + rotated_.size() + images_.size() + images_of_found_.size() +
                              static_cast<std::size_t>(4 * split_.count * split_.count);
  return static_cast<std::int64_t>(numbers * sizeof(Complex));
}

void Davidson::sum_waves(std::vector<double>& numbers) {
  sum_over(groups_.along(Axis::waves), numbers.data(), static_cast<std::int64_t>(numbers.size()));
}

// search = K (H u - e u), e = <u|H u>.
void Davidson::residuals(Orbitals& orbitals, const Columns& search) {
  const Columns bands = orbitals.columns();
  const std::vector<double>& kinetic = orbitals.of->sphere().kinetic();
  const std::int64_t mine = split_.mine(), waves = bands.waves;
  const Timed timed(watch_, Phase::residual, {.flop = 30 * mine * waves});
  std::vector<double> sums(static_cast<std::size_t>(2 * mine)), squares(static_cast<std::size_t>(mine));
#pragma omp parallel for
  for (std::int64_t b = 0; b < mine; ++b) {
    const Complex *const u = bands.column(b), *const image = images_.data() + b * waves;
    double energy = 0, moving = 0;
    for (std::int64_t w = 0; w < waves; ++w) {
      energy += u[w].real() * image[w].real() + u[w].imag() * image[w].imag();
      moving += kinetic[static_cast<std::size_t>(w)] * std::norm(u[w]);
    }
    sums[static_cast<std::size_t>(2 * b)] = energy;
    sums[static_cast<std::size_t>(2 * b + 1)] = moving;
  }
  sum_waves(sums);
#pragma omp parallel for
  for (std::int64_t b = 0; b < mine; ++b) {
    const Complex *const u = bands.column(b), *const image = images_.data() + b * waves;
    Complex* const to = search.column(b);
    const double energy = sums[static_cast<std::size_t>(2 * b)], moving = sums[static_cast<std::size_t>(2 * b + 1)];
    double square = 0;
    for (std::int64_t w = 0; w < waves; ++w) {
      const Complex left = image[w] - energy * u[w];
      square += std::norm(left);
      to[w] = precondition(kinetic[static_cast<std::size_t>(w)] / moving) * left;
    }
    squares[static_cast<std::size_t>(b)] = square;
  }
  sum_waves(squares);
  orbitals.residual = 0;
  for (std::int64_t b = 0; b < mine; ++b) {
    const double left = std::sqrt(squares[static_cast<std::size_t>(b)]);
    if (split_.band(b) < shown_ && !(left <= orbitals.residual)) orbitals.residual = left;  // a NaN, too
    if (!(left > 0))
      fill_random(orbitals.of->sphere(), seed_, mix64(static_cast<std::uint64_t>(split_.band(b))), 1, search.column(b));
  }
}

// Directions that are orthonormal to the bands and to each other.
void Davidson::search(Orbitals& orbitals) {
  const Columns bands = orbitals.columns(), search{bands.waves, bands.rows, found_.data()};
  residuals(orbitals, search);
  orbitals.of->project(split_.mine(), search);
  constexpr int most = 5;
  for (int trial = 0; trial < most; ++trial) {
    const double left = orthonormal_(split_, search, &bands);
    if (left > near_dependent) return;
    if (left > dependent) continue;
    ++restarts_;
    for (std::int64_t b = 0; b < split_.mine(); ++b) {
      const auto stream = static_cast<std::uint64_t>((restarts_ + 1) * split_.count + split_.band(b));
      fill_random(orbitals.of->sphere(), seed_, mix64(stream), 1e-3, search.column(b));
    }
    orbitals.of->project(split_.mine(), search);
  }
  impossible(
      "search directions of the bands stay combinations of each other; use fewer --bands or a greater --cut_off");
}

// Lower half of the Hamiltonian among bands and directions: what this rank adds.
void Davidson::fill_matrix(const Columns& bands, const Columns& found) {
  const std::int64_t n = split_.count, mine = split_.mine(), waves = bands.waves;
  matrix_.assign(static_cast<std::size_t>(4 * n * n), 0);
  const auto add = [&](Range panel, const Complex* left, const Complex* right, std::int64_t row, std::int64_t column) {
    part_.resize(static_cast<std::size_t>(panel.size() * mine));
    {
      const Timed timed(watch_, Phase::subspace, {.flop = 8 * panel.size() * mine * waves});
      dft::inner_products(waves, panel.size(), mine, 1.0, left, bands.rows, right, waves, part_.data(), panel.size());
    }
    for (std::int64_t b = 0; b < mine; ++b)
      std::copy_n(part_.data() + b * panel.size(), panel.size(),
                  matrix_.data() + (column + split_.band(b)) * 2 * n + row + panel.first);
  };
  const auto each = [&](const Columns& of, const Panels::Body& body) {
    // The waves alone; the products behind them do not count.
    panels_.each(split_, of, Phase::subspace_bcast, Phase::subspace_bcast, body);
  };
  each(bands, [&](Range panel, const Complex* left) { add(panel, left, images_.data(), 0, 0); });
  each(found, [&](Range panel, const Complex* left) {
    add(panel, left, images_.data(), n, 0);
    add(panel, left, images_of_found_.data(), n, n);
  });
  const std::int64_t bytes = 4 * n * n * static_cast<std::int64_t>(sizeof(Complex));
  const Timed timed(watch_, Phase::subspace_allreduce, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
  sum_over(groups_.of_k(), reinterpret_cast<double*>(matrix_.data()), 8 * n * n);
}

void Davidson::diagonalise(std::vector<double>& lowest) {
  const std::int64_t n = split_.count;
  std::vector<double> values(static_cast<std::size_t>(2 * n));
  // Flop of a reduction to tridiagonal form, its eigenvectors and their way back (LAPACK Users' Guide, table 3.14).
  const Timed timed(watch_, Phase::eigen, {.flop = 4 * 9 * (2 * n) * (2 * n) * (2 * n) / 3});
  int rank = 0;
  MPI_Comm_rank(groups_.of_k(), &rank);
  double failed = 0;
  if (eigen_ == Eigen::replicated || rank == 0) failed = dft::diagonalise(2 * n, matrix_.data(), values) ? 0 : 1;
  if (eigen_ == Eigen::leader) {
    values.push_back(failed);
    MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, groups_.of_k());
    MPI_Bcast(matrix_.data(), static_cast<int>(4 * n * n), MPI_DOUBLE, 0, groups_.of_k());  // half of the columns
    failed = values.back();
  }
  if (failed > 0) impossible("LAPACK could not diagonalise the subspace of the bands; is its library sound?");
  std::copy_n(values.begin(), lowest.size(), lowest.begin());
}

// bands = bands c + found d: the lowest vectors of the subspace, this group's columns of them.
void Davidson::rotate(const Columns& bands, const Columns& found) {
  const std::int64_t n = split_.count, mine = split_.mine();
  double beta = 0;
  const auto add = [&](std::int64_t row) {
    return [&, row](Range panel, const Complex* left) {
      chosen_.resize(static_cast<std::size_t>(panel.size() * mine));
      for (std::int64_t b = 0; b < mine; ++b)
        std::copy_n(matrix_.data() + split_.band(b) * 2 * n + row + panel.first, panel.size(),
                    chosen_.data() + b * panel.size());
      const Timed timed(watch_, Phase::subspace, {.flop = 8 * panel.size() * mine * bands.rows});
      dft::combine(bands.rows, panel.size(), mine, 1.0, left, bands.rows, chosen_.data(), panel.size(), beta,
                   rotated_.data(), bands.rows);
      beta = 1;
    };
  };
  panels_.each(split_, bands, Phase::subspace_bcast, Phase::subspace_bcast, add(0));
  panels_.each(split_, found, Phase::subspace_bcast, Phase::subspace_bcast, add(n));
  if (stale_ && mine > 0 && bands.rows > bands.waves) {
    std::copy_n(bands.column(mine - 1) + bands.waves, bands.rows - bands.waves,
                rotated_.data() + mine * bands.rows - (bands.rows - bands.waves));
  }
  const Timed timed(watch_, Phase::subspace);
  std::copy_n(rotated_.data(), mine * bands.rows, bands.data);
}

void Davidson::pass(Orbitals& orbitals, const std::vector<double>& potential) {
  Hamiltonian& h = *orbitals.of;
  const Columns bands = orbitals.columns(), found{bands.waves, bands.rows, found_.data()};
  const std::int64_t mine = split_.mine();
  orthonormal_(split_, bands);
  h.apply(potential, mine, bands, images_.data());
  search(orbitals);
  h.apply(potential, mine, found, images_of_found_.data());
  fill_matrix(bands, found);
  diagonalise(orbitals.eigenvalue);
  rotate(bands, found);
}

}  // namespace tenken::planewave
