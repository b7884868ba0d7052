#include "timer.hpp"

namespace tenken::realspace {

namespace {

namespace section = this_check::section;

Leaf leaf_of(Phase phase) {
  switch (phase) {
    case Phase::filter:
      return section::iteration_filter;
    case Phase::stencil:
      return section::iteration_stencil;
    case Phase::halo:
      return section::iteration_halo;
    case Phase::nonlocal:
      return section::iteration_nonlocal;
    case Phase::nonlocal_allreduce:
      return section::iteration_nonlocal_allreduce;
    case Phase::dgemm1:
      return section::iteration_gram_schmidt_mm_dgemm1;
    case Phase::dgemm2:
      return section::iteration_gram_schmidt_mm_dgemm2;
    case Phase::allreduce1:
      return section::iteration_gram_schmidt_mm_allreduce1;
    case Phase::leaf:
      return section::iteration_gram_schmidt_leaf;
    case Phase::leaf_allreduce:
      return section::iteration_gram_schmidt_leaf_allreduce;
    case Phase::allgatherv:
      return section::iteration_gram_schmidt_allgatherv;
    case Phase::bcast:
      return section::iteration_gram_schmidt_bcast;
    case Phase::subspace:
      return section::iteration_subspace;
    case Phase::subspace_allreduce:
      return section::iteration_subspace_allreduce;
    case Phase::eigen:
      return section::iteration_eigen;
    case Phase::density:
      return section::iteration_density;
    case Phase::density_allreduce:
      return section::iteration_density_allreduce;
    default:
      return section::iteration_potential;
  }
}

}  // namespace

void Timer::enter(Phase phase, const Work& work) {
  std::optional<Section>& open = open_[static_cast<std::size_t>(phase)];
  switch (phase) {
    case Phase::iteration:
      open.emplace(section::iteration);
      return;
    case Phase::gram_schmidt:
      open.emplace(section::iteration_gram_schmidt);
      return;
    case Phase::mm:
      open.emplace(section::iteration_gram_schmidt_mm);
      return;
    default:
      open.emplace(leaf_of(phase), work);
  }
}

}  // namespace tenken::realspace
