#include "qcd/proofs.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "qcd/ref.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

using C = std::complex<double>;

template <class Error>
double largest(int count, Error error) {
  double all = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; ++i) mine = larger(mine, error(i));
#pragma omp critical
    all = larger(all, mine);
  }
  return all;
}

double global_largest(MPI_Comm comm, double x) {
  double values[2] = {std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm);
  return values[1] > 0 ? std::nan("") : values[0];
}

double global_sum(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

double difference(const Spinor& a, const Spinor& b) {
  double worst = 0;
  for (int s = 0; s < spins; ++s) {
    for (int c = 0; c < colours; ++c) {
      const Complex<double> d = a.at[s][c] - b.at[s][c];
      worst = larger(worst, std::hypot(d.re, d.im));
    }
  }
  return worst;
}

Links empty_links(const Geometry& g) {
  return {static_cast<std::size_t>(g.sites) * directions, Pages::huge, "the gauge field of a proof"};
}

}  // namespace

std::vector<int> proof_sites(const Geometry& g, std::uint64_t seed) {
  constexpr int of_each = 4;
  const RandomStream random(seed, static_cast<std::uint64_t>(Purpose::samples));
  const Index4& extents = g.block.extents();
  std::uint64_t n = static_cast<std::uint64_t>(g.global_position(0)) << 8;  // other sites on every rank
  std::vector<int> sites;
  const auto random_site = [&] {
    Index4 x;
    for (int mu = 0; mu < directions; ++mu) x[mu] = static_cast<int>(random.uniform(n++) * extents[mu]);
    return x;
  };
  for (int corner = 0; corner < 16; ++corner) {
    Index4 x;
    for (int mu = 0; mu < directions; ++mu) x[mu] = (corner >> mu & 1) != 0 ? extents[mu] - 1 : 0;
    sites.push_back(static_cast<int>(position(x, extents)));
  }
  for (int mu = 0; mu < directions; ++mu) {
    for (const int at : {0, extents[mu] - 1}) {
      for (int i = 0; i < of_each; ++i) {
        Index4 x = random_site();
        x[mu] = at;
        sites.push_back(static_cast<int>(position(x, extents)));
      }
    }
  }
  for (int i = 0; i < of_each; ++i) sites.push_back(static_cast<int>(position(random_site(), extents)));
  return sites;
}

double links_error(MPI_Comm comm, const Links& links) {
  const auto error = [&](int i) { return larger(unitarity_error(links[i]), determinant_error(links[i])); };
  return global_largest(comm, largest(static_cast<int>(links.size()), error));
}

double hermiticity_error(const Subject& s) {
  const Geometry& g = s.geometry;
  Field x = make_field(g), y = make_field(g), hx = make_field(g), hy = make_field(g);
  fill_random(g, s.seed, Purpose::right, x);
  fill_random(g, s.seed, Purpose::left, y);
  s.h.apply(hx, x);
  s.h.apply(hy, y);
  // Real parts are enough: Re <y, H x> = Re <H y, x> for x, y and i y is the whole statement.
  const double lhs = global_sum(s.comm, dot(y, hx));
  const double rhs = global_sum(s.comm, dot(hy, x));
  return std::abs(lhs - rhs) / std::sqrt(global_sum(s.comm, norm2(x)) * global_sum(s.comm, norm2(y)));
}

double covariance_error(const Subject& s) {
  const Geometry& g = s.geometry;
  const std::uint64_t seed = s.seed;
  const Index4& lattice = g.block.lattice();
  Links turned_links = empty_links(g);
  Field x = make_field(g), hx = make_field(g), turned_x = make_field(g), h_turned_x = make_field(g);
  fill_random(g, seed, Purpose::right, x);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < g.sites; ++i) {
    const Index4 here = g.global(i);
    const Link turn = rotation(seed, g.position_of(here));
    turned_x[i] = rotated(turn, x[i]);
    for (int mu = 0; mu < directions; ++mu) {
      const Link turn_ahead = rotation(seed, g.position_of(moved(lattice, here, mu, +1)));
      turned_links[directions * i + mu] = turn * s.links[directions * i + mu] * adjoint(turn_ahead);
    }
  }
  Wilson turned_h(s.comm, g, turned_links, s.h.kappa(), s.faults);
  s.h.apply(hx, x);
  turned_h.apply(h_turned_x, turned_x);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < g.sites; ++i) hx[i] = rotated(rotation(seed, g.global_position(i)), hx[i]);
  axpy(-1, hx, h_turned_x);
  return std::sqrt(global_sum(s.comm, norm2(h_turned_x)) / global_sum(s.comm, norm2(x)));
}

double free_field_error(const Subject& s) {
  const Geometry& g = s.geometry;
  constexpr int wanted[directions] = {1, 2, 3, 5};
  const double kappa = s.h.kappa();
  double p[directions];
  double diagonal = 1;
  for (int mu = 0; mu < directions; ++mu) {
    const int extent = g.block.lattice()[mu];
    int halves = 2 * wanted[mu] + (s.boundary[mu] < 0 ? 1 : 0);
    while (extent > 2 && halves % extent == 0) halves += 2;
    p[mu] = std::numbers::pi * halves / extent;
    diagonal -= 2 * kappa * std::cos(p[mu]);
  }
  // gamma_5 (diagonal + 2 i kappa gamma.sin p) w, spin by spin, for w_s = (s + 1) + (colour) i.
  const auto w = [](int spin, int colour) { return C(spin + 1, colour); };
  const C i(0, 1);
  const C factor = 2.0 * i * kappa;
  const auto sine = [&](int mu) { return std::sin(p[mu]); };
  const auto d_of_w = [&](int c) {
    // sigma.sin p on two components
    const auto sigma = [&](C up, C down) {
      return std::pair{sine(2) * up + (sine(0) - i * sine(1)) * down, (sine(0) + i * sine(1)) * up - sine(2) * down};
    };
    const auto [lower0, lower1] = sigma(w(2, c), w(3, c));
    const auto [upper0, upper1] = sigma(w(0, c), w(1, c));
    return std::array<C, spins>{diagonal * w(0, c) + factor * (sine(3) * w(0, c) - i * lower0),
                                diagonal * w(1, c) + factor * (sine(3) * w(1, c) - i * lower1),
                                diagonal * w(2, c) + factor * (-sine(3) * w(2, c) + i * upper0),
                                diagonal * w(3, c) + factor * (-sine(3) * w(3, c) + i * upper1)};
  };
  const auto wave = [&](int site) {
    const Index4 x = g.global(site);
    double phase = 0;
    for (int mu = 0; mu < directions; ++mu) phase += p[mu] * x[mu];
    return std::polar(1.0, phase);
  };
  Links unit = empty_links(g);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(unit.size()); ++k) unit[k] = unit_link();
  cross_boundary(g, s.boundary, unit);
  Field x = make_field(g), hx = make_field(g);
#pragma omp parallel for schedule(static)
  for (int k = 0; k < g.sites; ++k) {
    const C here = wave(k);
    for (int spin = 0; spin < spins; ++spin) {
      for (int c = 0; c < colours; ++c) {
        const C a = here * w(spin, c);
        x[k].at[spin][c] = {a.real(), a.imag()};
      }
    }
  }
  Wilson h(s.comm, g, unit, kappa, s.faults);
  h.apply(hx, x);
  const std::array<std::array<C, spins>, colours> d = {d_of_w(0), d_of_w(1), d_of_w(2)};
  const auto error = [&](int k) {
    Spinor expected;
    const C here = wave(k);
    for (int c = 0; c < colours; ++c) {
      for (int spin = 0; spin < spins; ++spin) {
        const C a = here * d[c][(spin + 2) % spins];
        expected.at[spin][c] = {a.real(), a.imag()};
      }
    }
    return difference(hx[k], expected);
  };
  return global_largest(s.comm, largest(g.sites, error));
}

double reference_error(const Subject& s) {
  const Geometry& g = s.geometry;
  const std::uint64_t seed = s.seed;
  Field x = make_field(g), hx = make_field(g);
  fill_random(g, seed, Purpose::right, x);
  s.h.apply(hx, x);
  const LinkAt link = [&](const Index4& at, int mu) { return s.made.around(at, mu); };
  const SpinorAt psi = [&](const Index4& at) { return random_spinor(seed, Purpose::right, g.position_of(at)); };
  double worst = 0;
  for (const int site : proof_sites(g, seed)) {
    const Spinor expected = reference(g.block.lattice(), g.global(site), link, psi, s.h.kappa(), s.boundary);
    worst = larger(worst, difference(hx[site], expected));
  }
  return global_largest(s.comm, worst);
}

double hot_plaquette_deviation(const Index4& lattice) {
  return 1 / std::sqrt(18.0 * 6.0 * static_cast<double>(product(lattice)));
}

std::vector<double> slices(MPI_Comm comm, const Geometry& g, const Field& x) {
  std::vector<double> sums(static_cast<std::size_t>(g.block.lattice()[3]));
  const std::int64_t sites = g.block.face(3);
  for (int t = 0; t < g.block.extents()[3]; ++t) {
    sums[static_cast<std::size_t>(g.block.offset()[3] + t)] = norm2(x, t * sites, (t + 1) * sites);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm);
  return sums;
}

}  // namespace tenken::qcd
