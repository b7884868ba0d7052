#include "projectors.hpp"

#include <cmath>
#include <numbers>

#include "numerics/dft/filter.hpp"
#include "numerics/dft/hartree.hpp"
#include "numerics/dft/pseudopotential.hpp"

namespace tenken::planewave {

using dft::Complex;
using dft::Vector;

std::int64_t projector_count(const std::vector<dft::Atom>& atoms) {
  std::int64_t count = 0;
  for (const dft::Atom& atom : atoms)
    for (const dft::Channel& channel : dft::channels(dft::pseudopotential(atom.element))) count += 2 * channel.l + 1;
  return count;
}

Projectors::Projectors(const dft::Grid& grid, const std::vector<dft::Atom>& atoms, const Vector& k,
                       const Sphere& sphere, bool conjugate) {
  const std::int64_t waves = sphere.waves();
  waves_ = Buffer<Complex>(static_cast<std::size_t>(projector_count(atoms) * waves), Pages::huge, "the projectors");
  const double scale = 4 * std::numbers::pi / std::sqrt(grid.volume());
  std::vector<Vector> q;
  std::vector<double> length;
  for (const std::array<int, 3>& n : sphere.frequency()) {
    Vector at;
    for (std::size_t d = 0; d < 3; ++d) at[d] = k[d] + 2 * std::numbers::pi * n[d] / grid.cell[d];
    q.push_back(at);
    length.push_back(std::hypot(at[0], at[1], at[2]));
  }
  std::int64_t projector = 0;
  for (const dft::Atom& atom : atoms) {
    std::vector<Complex> phase;
    for (const Vector& at : q) {
      const double angle = at[0] * atom.position[0] + at[1] * atom.position[1] + at[2] * atom.position[2];
      phase.push_back(std::polar(1.0, conjugate ? angle : -angle));
    }
    for (const dft::Channel& channel : dft::channels(dft::pseudopotential(atom.element))) {
      std::vector<double> radial;
      for (const double g : length) radial.push_back(scale * channel.of_g(g));
      for (std::size_t m = 0; m < static_cast<std::size_t>(2 * channel.l + 1); ++m, ++projector) {
        strength_.push_back(channel.strength);
        Complex* const to = waves_.data() + projector * waves;
        for (std::size_t w = 0; w < q.size(); ++w)
          to[w] = radial[w] * dft::solid_harmonic(channel.l, m, q[w]) * phase[w];
      }
    }
  }
}

}  // namespace tenken::planewave
