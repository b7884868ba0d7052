#include "modes.hpp"

namespace les {

PressureModes::PressureModes(MPI_Comm comm, const Box& box, const Mesh& mesh, std::span<const std::int32_t> slot)
    : slot_(slot.begin(), slot.end()) {
  const auto add = [&](std::size_t modes, const auto& weight, const auto& layer) {
    Family family;
    family.square.resize(modes);
    for (const std::int64_t e : mesh.element) {
      const Cells at = tenken::coordinates<3>(e, box.cells);
      family.weight.push_back(weight(at));
      family.layer.push_back(layer(at));
      family.square[static_cast<std::size_t>(family.layer.back())] += family.weight.back() * family.weight.back();
    }
    MPI_Allreduce(MPI_IN_PLACE, family.square.data(), static_cast<int>(modes), MPI_DOUBLE, MPI_SUM, comm);
    families_.push_back(std::move(family));
  };
  add(
      1, [](const Cells&) { return 1.0; }, [](const Cells&) { return 0; });
  if (box.distortion > 0) return;
  const auto spacing = [&](const Cells& at, std::size_t d) {
    Cells next = at;
    ++next[d];
    return (box.place(next)[d] - box.place(at)[d]) * box.cells[d] / box.side[d];  // 1 where all are alike
  };
  const auto alternates = [&](std::size_t d) { return !box.periodic[d] || box.cells[d] % 2 == 0; };
  for (std::size_t third = 0; third < 3; ++third) {
    const std::size_t one = (third + 1) % 3, other = (third + 2) % 3;
    if (!alternates(one) || !alternates(other)) continue;
    add(
        static_cast<std::size_t>(box.cells[third]),
        [&](const Cells& at) {
          return ((at[one] + at[other]) % 2 == 0 ? 1 : -1) / (spacing(at, one) * spacing(at, other));
        },
        [&](const Cells& at) { return at[third]; });
  }
}

// One family after the other: they are orthogonal but for the checkerboard in space, which all three have.
template <class Real>
void PressureModes::remove_from(Real* p, Reductions& reduce) const {
  for (const Family& family : families_) {
    std::vector<double> share(family.square.size());
    for (std::size_t e = 0; e < slot_.size(); ++e) {
      share[static_cast<std::size_t>(family.layer[e])] += family.weight[e] * static_cast<double>(p[slot_[e]]);
    }
    reduce(share);
    for (std::size_t k = 0; k < share.size(); ++k) share[k] /= family.square[k];
    for (std::size_t e = 0; e < slot_.size(); ++e) {
      p[slot_[e]] -= static_cast<Real>(family.weight[e] * share[static_cast<std::size_t>(family.layer[e])]);
    }
  }
}

template void PressureModes::remove_from(float*, Reductions&) const;
template void PressureModes::remove_from(double*, Reductions&) const;

}  // namespace les
