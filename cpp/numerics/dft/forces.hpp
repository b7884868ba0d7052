// Forces on the ions: minus the slope of the energy with the orbitals held (Hellmann, Feynman), which is the whole
// force of a ground state and, in real time, that on the ions by the electrons as they are. The grid's own derivative:
// all parts are differentiated as they are summed, so that forces are the slopes of these energies to rounding.
#pragma once

#include <vector>

#include "numerics/dft/energies.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// What forces need of the ions once; positions do not change.
class Forces {
 public:
  Forces(const System& system, const Input& input);

  // Of each atom, Hartree / Bohr. `a`: A / c; `density`: of these orbitals, symmetric. Orbitals of k-points that were
  // reduced by symmetry do not tell the forces of single atoms: refused for reductions other than 1.
  std::vector<Vector> operator()(const Occupied& orbitals, const std::vector<double>& density, const Vector& a,
                                 const Reduce& reduce) const;

  // The parts of it, added to `forces`.
  void add_ions(std::vector<Vector>& forces) const;
  void add_local(const std::vector<double>& density, std::vector<Vector>& forces) const;
  void add_nonlocal(const Occupied& orbitals, const Vector& a, const Reduce& reduce, std::vector<Vector>& forces) const;

 private:
  const System& system_;
  // [atom that has projectors]: [axis][channel][point of the sphere], slope of the projector's value in the offset.
  std::vector<std::array<std::vector<double>, 3>> slopes_;
  std::vector<std::size_t> atom_of_;  // [of these]: its number among all atoms
};

}  // namespace tenken::dft
