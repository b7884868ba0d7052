#include "numerics/dft/fingerprint.hpp"

#include "base/checkpoint.hpp"
#include "numerics/dft/pseudopotential.hpp"

namespace tenken::dft {

std::uint64_t fingerprint(const Input& input) {
  const auto add = [](std::uint64_t state, const auto& value) { return tenken::fingerprint(state, value); };
  std::uint64_t state = add(add(add(0, input.grid.points), input.grid.cell), input.k_grid);
  state = add(add(add(state, input.reduction), input.functional), input.projector_cut);
  state = add(state, input.filter_projectors);
  for (const Atom& atom : input.atoms) {
    state = add(tenken::fingerprint(state, atom.element.data(), atom.element.size()), atom.position);
    const Pseudopotential& ion = pseudopotential(atom.element);
    state = add(add(add(add(state, ion.charge), ion.local_radius), ion.local), ion.of_l);
  }
  return state;
}

}  // namespace tenken::dft
