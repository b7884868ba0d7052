// A crystal on a grid in real space, as Kohn-Sham theory with norm-conserving pseudopotentials sees it. Atomic units
// throughout: lengths in Bohr, energies in Hartree. Orthogonal cells; u is the periodic part of a Bloch orbital, so
// that everything that depends on k or on a vector potential stands in the Hamiltonian.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace tenken::dft {

using Complex = std::complex<double>;
using Vector = std::array<double, 3>;

// Points of a periodic cell; z is the fastest: index (x * points[1] + y) * points[2] + z, at (x, y, z) * spacing().
struct Grid {
  std::array<int, 3> points{};
  Vector cell{};  // lengths, Bohr

  std::int64_t size() const { return std::int64_t{points[0]} * points[1] * points[2]; }
  Vector spacing() const { return {cell[0] / points[0], cell[1] / points[1], cell[2] / points[2]}; }
  double volume() const { return cell[0] * cell[1] * cell[2]; }
  double point_volume() const { return volume() / static_cast<double>(size()); }
};

struct Atom {
  std::string element;  // "Si"
  Vector position{};    // Bohr
};

// k of a set whose weights add up to 1. A set that was reduced by symmetry stands for the full one once the density was
// made symmetric (kpoints.hpp).
struct KPoint {
  Vector k{};  // 1/Bohr
  double weight = 0;
};

// The non-local potential of one atom. With K = k + A/c and the phase ph_i = exp(i K.offset_i),
//
//   (V u)_(point_i) += conj(ph_i) sum_c value[c][i] strength[c] dV sum_j value[c][j] ph_j u_(point_j),
//
// dV the volume of a point. The 2 x 2 coefficients of two projectors of one l are diagonalised, so channels do not mix.
// In a cell shorter than the sphere a point stands here once for each of its images.
struct AtomProjectors {
  std::int64_t count() const { return static_cast<std::int64_t>(point.size()); }
  std::int64_t channels() const { return static_cast<std::int64_t>(strength.size()); }

  std::vector<std::int32_t> point;  // index of the grid
  std::vector<Vector> offset;       // r - R of the nearest image meant, Bohr
  std::vector<double> value;        // [channel][i], real
  std::vector<double> strength;     // [channel], Hartree
  double radius = 0;                // of the sphere, Bohr: beyond it each |p(r)|, not filtered, < cut * its maximum
};

enum class Functional { perdew_zunger, pade };

// What is computed, and all that does not change while electrons move.
struct System {
  Grid grid;
  std::vector<Atom> atoms;
  std::vector<KPoint> k_points;
  int reduction = 1;  // 1, 4 or 8: by which symmetries the set of k was reduced
  Functional functional = Functional::perdew_zunger;

  int electrons = 0;  // of one cell, even
  int bands() const { return electrons / 2; }
  static constexpr double occupation = 2;  // of every band: spin-unpolarised insulators

  std::vector<AtomProjectors> projectors;  // of each atom that has any
  std::vector<double> local_potential;     // [point]: of the ions, its average over the cell taken out
  double ewald_energy = 0;                 // ions among themselves
  double core_energy = 0;                  // average of the ions' potential beyond Coulomb's, times the electrons
};

// What a user states.
struct Input {
  Grid grid;
  std::vector<Atom> atoms;
  std::array<int, 3> k_grid{1, 1, 1};  // Monkhorst-Pack, shifted by half a step
  int reduction = 1;
  Functional functional = Functional::perdew_zunger;
  double projector_cut = 1e-6;     // see AtomProjectors::radius
  bool filter_projectors = true;   // see filter.hpp
  bool projectors_on_grid = true;  // false: System::projectors stays empty (plane waves have their own)
};

// The named examples: "si" (8 atoms in a cube of 10.26 Bohr, 16^3 points, 4^3 k), "sio2" (alpha-quartz, 18 atoms in an
// orthorhombic cell, 20 x 36 x 52 points, 4^3 k). Refuses others.
Input example(const std::string& name);

// Throws UserError: unknown element, atoms that overlap, odd electrons, a symmetry that the atoms or the grid lack.
System make_system(const Input& input);

// How fine a grid the pseudopotential of an element needs: plane waves up to pi / h, where the narrowest Gaussian has
// fallen to a fifth.
struct GridNeed {
  std::string element;
  double spacing = 0, allowed = 0;  // h, the greatest of the axes, and the greatest that is fine enough, Bohr
  double carried = 0, needed = 0;   // cut-off energies of the plane waves, Hartree
  bool coarse() const { return spacing > allowed; }
};
// One for each element, in the order of the atoms.
std::vector<GridNeed> grid_needs(const Grid& grid, const std::vector<Atom>& atoms);
// One sentence for each element that needs a finer grid; empty where the grid is fine enough.
std::vector<std::string> coarse_grid_warnings(const Grid& grid, const std::vector<Atom>& atoms);

}  // namespace tenken::dft
