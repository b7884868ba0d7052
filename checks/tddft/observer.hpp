// What is looked at on the way, every few steps: energy, excited electrons, forces.
#pragma once

#include <optional>
#include <vector>

#include "excited.hpp"
#include "measure/check.hpp"
#include "numerics/dft/forces.hpp"

namespace tenken::tddft {

class Observer {
 public:
  // `system` is kept by reference. Forces are left out where k-points are reduced.
  Observer(const dft::System& system, const dft::Input& input, dft::GroundState ground,
           const dft::GroundStateOptions& options, const dft::SameK& same_k);

  std::size_t columns() const;
  // Appends time, energy (Hartree), excited electrons and the force on each atom (x, y, z; Hartree / Bohr), all of the
  // cell and of now. Collective.
  void look(const Electrons& electrons, const dft::Reduce& reduce, std::vector<double>& rows) const;
  // The tables of all rows.
  void write(Check& check, const std::vector<double>& rows) const;

 private:
  const dft::System& system_;
  Excited excited_;
  std::optional<dft::Forces> forces_;
};

}  // namespace tenken::tddft
