#include "observer.hpp"

#include <cmath>
#include <string>

#include "proofs.hpp"

namespace tenken::tddft {

namespace {

constexpr std::size_t before_forces = 3;  // columns

Table table_of(const char* name, const char* unit, const std::vector<std::string>& columns) {
  Table table;
  table.name = name;
  table.unit = unit;
  table.columns = columns;
  return table;
}

}  // namespace

Observer::Observer(const dft::System& system, const dft::Input& input, dft::GroundState ground,
                   const dft::GroundStateOptions& options, const dft::SameK& same_k)
    : system_(system), excited_(system, std::move(ground), options, same_k) {
  if (system.reduction == 1) forces_.emplace(system, input);
}

std::size_t Observer::columns() const { return before_forces + (forces_ ? 3 * system_.atoms.size() : 0); }

void Observer::look(const Electrons& electrons, const dft::Reduce& reduce, std::vector<double>& rows) const {
  rows.push_back(electrons.time());
  rows.push_back(energies(system_, electrons, reduce).total());
  rows.push_back(excited_(electrons, reduce));
  if (!forces_) return;
  const auto orbitals = electrons.orbitals();
  for (const dft::Vector& force :
       (*forces_)(electrons.occupied(orbitals), electrons.density(), electrons.a(), reduce)) {
    rows.insert(rows.end(), force.begin(), force.end());
  }
}

void Observer::write(Check& check, const std::vector<double>& rows) const {
  Table energy = table_of("energy", "Hartree, electrons", {"t", "energy", "excited electrons"});
  Table forces = table_of("forces", "Hartree / Bohr", {"t"});
  for (std::size_t atom = 0; atom < system_.atoms.size(); ++atom) {
    for (const char axis : {'x', 'y', 'z'}) {
      forces.columns.push_back(system_.atoms[atom].element + std::to_string(atom + 1) + " " + axis);
    }
  }
  const std::size_t width = columns();
  int unsettled = 0;
  for (std::size_t first = 0; first + width <= rows.size(); first += width) {
    const double* const row = rows.data() + first;
    energy.rows.push_back(std::to_string(energy.rows.size()));
    energy.values.insert(energy.values.end(), row, row + before_forces);
    unsettled += std::isnan(row[2]) ? 1 : 0;
    forces.rows.push_back(energy.rows.back());
    forces.values.push_back(row[0]);
    forces.values.insert(forces.values.end(), row + before_forces, row + width);
  }
  check.table(energy);
  check.value("excited_electrons_unsettled", "looks", unsettled);
  if (forces_) check.table(forces);
}

}  // namespace tenken::tddft
