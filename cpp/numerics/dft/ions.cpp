#include "numerics/dft/ions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "numerics/dft/filter.hpp"
#include "numerics/dft/hartree.hpp"
#include "numerics/dft/pseudopotential.hpp"

namespace tenken::dft {

namespace {

using std::numbers::pi;

// 1-D factors exp(-i G x) of one atom, for every index of an axis.
std::vector<Complex> factors(double position, int n, double cell) {
  std::vector<Complex> all;
  for (int i = 0; i < n; ++i) all.push_back(std::polar(1.0, -wave_number(i, n, cell) * position));
  return all;
}

// Sum over the grid's wave numbers but 0 of form(element, g) exp(iG(r - R)) / volume, real part: the terms of the
// largest wave numbers of even grids, which have no opposite, stand for the average of both.
template <class Form>
std::vector<double> on_grid(const Grid& grid, const std::vector<Atom>& atoms, const Form& form) {
  std::map<std::string, std::vector<const Atom*>> of;
  for (const Atom& atom : atoms) of[atom.element].push_back(&atom);
  const auto n = static_cast<std::size_t>(grid.size());
  std::vector<Complex> spectrum(n);
  for (const auto& [element, members] : of) {
    const Pseudopotential& ion = pseudopotential(element);
    std::vector<Complex> structure(n);
    for (const Atom* atom : members) {
      std::array<std::vector<Complex>, 3> phase;
      for (std::size_t d = 0; d < 3; ++d) phase[d] = factors(atom->position[d], grid.points[d], grid.cell[d]);
      std::size_t at = 0;
      for (const Complex& x : phase[0])
        for (const Complex& y : phase[1])
          for (const Complex& z : phase[2]) structure[at++] += x * y * z;
    }
    std::size_t at = 0;
    for (int x = 0; x < grid.points[0]; ++x)
      for (int y = 0; y < grid.points[1]; ++y)
        for (int z = 0; z < grid.points[2]; ++z, ++at) {
          const double g =
              std::hypot(wave_number(x, grid.points[0], grid.cell[0]), wave_number(y, grid.points[1], grid.cell[1]),
                         wave_number(z, grid.points[2], grid.cell[2]));
          if (g > 0) spectrum[at] += form(ion, g) / grid.volume() * structure[at];
        }
  }
  ComplexFft(std::vector<int>{grid.points[0], grid.points[1], grid.points[2]}, spectrum.data(), spectrum.data(),
             Direction::backward, Effort::estimate)
      .run();
  std::vector<double> values;
  values.reserve(n);
  for (const Complex& value : spectrum) values.push_back(value.real());
  return values;
}

// Appends the points within `radius` of all images of an atom.
void collect(const Grid& grid, const Vector& position, double radius, AtomProjectors& atom) {
  const Vector h = grid.spacing();
  std::array<int, 3> first, last;
  for (std::size_t d = 0; d < 3; ++d) {
    first[d] = static_cast<int>(std::ceil((position[d] - radius) / h[d]));
    last[d] = static_cast<int>(std::floor((position[d] + radius) / h[d]));
  }
  const auto wrapped = [&](int i, std::size_t d) { return (i % grid.points[d] + grid.points[d]) % grid.points[d]; };
  for (int x = first[0]; x <= last[0]; ++x)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int z = first[2]; z <= last[2]; ++z) {
        const Vector offset{x * h[0] - position[0], y * h[1] - position[1], z * h[2] - position[2]};
        if (std::hypot(offset[0], offset[1], offset[2]) >= radius) continue;
        atom.point.push_back((wrapped(x, 0) * grid.points[1] + wrapped(y, 1)) * grid.points[2] + wrapped(z, 2));
        atom.offset.push_back(offset);
      }
}

// A projector that is not filtered: one channel and m at r.
double plain_projector(const Channel& channel, std::size_t m, const Vector& r) {
  const double length = std::hypot(r[0], r[1], r[2]);
  const double at_0 = channel.l == 0 ? 1 : 0;
  const double angle =
      length > 0 ? solid_harmonic(channel.l, m, r) / std::pow(length, channel.l) : at_0 * solid_harmonic(0, 0, r);
  return channel.at(length) * angle;
}

}  // namespace

std::vector<double> local_potential(const Grid& grid, const std::vector<Atom>& atoms) {
  return on_grid(grid, atoms, [](const Pseudopotential& ion, double g) { return local_of_g(ion, g); });
}

double core_energy(const Grid& grid, const std::vector<Atom>& atoms) {
  double sum = 0;
  for (const Atom& atom : atoms) sum += local_at_zero(pseudopotential(atom.element));
  return sum / grid.volume() * electrons(atoms);
}

std::vector<AtomProjectors> projectors(const Grid& grid, const std::vector<Atom>& atoms, double cut, bool filtered) {
  std::vector<AtomProjectors> all;
  for (const Atom& atom : atoms) {
    const Pseudopotential& ion = pseudopotential(atom.element);
    const std::vector<Channel> shapes = channels(ion);
    if (shapes.empty()) continue;
    AtomProjectors here;
    here.radius = projector_radius(ion, cut);
    collect(grid, atom.position, here.radius, here);
    if (filtered) here.value = filtered_projectors(grid, atom.position, shapes, here.radius, here.offset, false).value;
    for (const Channel& shape : shapes) {
      for (std::size_t m = 0; m < static_cast<std::size_t>(2 * shape.l + 1); ++m) {
        here.strength.push_back(shape.strength);
        if (filtered) continue;
        for (const Vector& offset : here.offset) here.value.push_back(plain_projector(shape, m, offset));
      }
    }
    all.push_back(std::move(here));
  }
  return all;
}

std::vector<Vector> local_slopes(const Grid& grid, const std::vector<Atom>& atoms, const std::vector<double>& density) {
  // sum over points of density exp(iG.r), for every G of the grid
  std::vector<Complex> transform(density.begin(), density.end());
  ComplexFft(std::vector<int>{grid.points[0], grid.points[1], grid.points[2]}, transform.data(), transform.data(),
             Direction::backward, Effort::estimate)
      .run();
  std::vector<Vector> slopes;
  for (const Atom& atom : atoms) {
    const Pseudopotential& ion = pseudopotential(atom.element);
    std::array<std::vector<Complex>, 3> phase;
    for (std::size_t d = 0; d < 3; ++d) phase[d] = factors(atom.position[d], grid.points[d], grid.cell[d]);
    Vector slope{};
    std::size_t at = 0;
    for (int x = 0; x < grid.points[0]; ++x)
      for (int y = 0; y < grid.points[1]; ++y)
        for (int z = 0; z < grid.points[2]; ++z, ++at) {
          const Vector g{wave_number(x, grid.points[0], grid.cell[0]), wave_number(y, grid.points[1], grid.cell[1]),
                         wave_number(z, grid.points[2], grid.cell[2])};
          const double length = std::hypot(g[0], g[1], g[2]);
          if (length == 0) continue;
          const Complex turned = phase[0][static_cast<std::size_t>(x)] * phase[1][static_cast<std::size_t>(y)] *
                                 phase[2][static_cast<std::size_t>(z)] * transform[at];
          // Re(-i G turned) = G Im(turned)
          const double factor = local_of_g(ion, length) / grid.volume() * grid.point_volume() * turned.imag();
          for (std::size_t d = 0; d < 3; ++d) slope[d] += g[d] * factor;
        }
    slopes.push_back(slope);
  }
  return slopes;
}

std::vector<std::array<std::vector<double>, 3>> projector_slopes(const Grid& grid, const std::vector<Atom>& atoms,
                                                                 const std::vector<AtomProjectors>& spheres,
                                                                 bool filtered) {
  constexpr double step = 2e-3;  // Bohr, much less than any Gaussian
  std::vector<std::array<std::vector<double>, 3>> all;
  for (const Atom& atom : atoms) {
    const std::vector<Channel> shapes = channels(pseudopotential(atom.element));
    if (shapes.empty()) continue;
    const AtomProjectors& sphere = spheres[all.size()];
    if (filtered) {
      all.push_back(filtered_projectors(grid, atom.position, shapes, sphere.radius, sphere.offset, true).slope);
      continue;
    }
    std::array<std::vector<double>, 3> slopes;
    for (const Channel& shape : shapes)
      for (std::size_t m = 0; m < static_cast<std::size_t>(2 * shape.l + 1); ++m)
        for (const Vector& offset : sphere.offset)
          for (std::size_t d = 0; d < 3; ++d) {
            const auto at = [&](double shift) {
              Vector there = offset;
              there[d] += shift;
              return plain_projector(shape, m, there);
            };
            slopes[d].push_back((8 * (at(step) - at(-step)) - at(2 * step) + at(-2 * step)) / (12 * step));
          }
    all.push_back(std::move(slopes));
  }
  return all;
}

int electrons(const std::vector<Atom>& atoms) {
  int sum = 0;
  for (const Atom& atom : atoms) sum += pseudopotential(atom.element).charge;
  return sum;
}

std::vector<double> first_density(const Grid& grid, const std::vector<Atom>& atoms, double width) {
  std::vector<double> density = on_grid(grid, atoms, [&](const Pseudopotential& ion, double g) {
    return ion.charge * std::exp(-g * g * width * width / 2);
  });
  double sum = 0;
  for (double& value : density) sum += value = std::max(0.0, value + electrons(atoms) / grid.volume());
  for (double& value : density) value *= electrons(atoms) / (sum * grid.point_volume());
  return density;
}

}  // namespace tenken::dft
