#include "timer.hpp"

#include <chrono>
#include <thread>

namespace tenken::planewave {

namespace {

namespace section = this_check::section;

void open_group(std::optional<Section>& open, Phase phase) {
  switch (phase) {
    case Phase::iteration:
      open.emplace(section::iteration);
      return;
    case Phase::fft_inverse:
      open.emplace(section::iteration_fft_inverse);
      return;
    case Phase::fft_direct:
      open.emplace(section::iteration_fft_direct);
      return;
    default:
      open.emplace(section::iteration_gs);
  }
}

Leaf leaf_of(Phase phase) {
  switch (phase) {
    case Phase::inverse_lines:
      return section::iteration_fft_inverse_lines;
    case Phase::inverse_alltoall1:
      return section::iteration_fft_inverse_alltoall1;
    case Phase::inverse_alltoall2:
      return section::iteration_fft_inverse_alltoall2;
    case Phase::direct_lines:
      return section::iteration_fft_direct_lines;
    case Phase::direct_alltoall1:
      return section::iteration_fft_direct_alltoall1;
    case Phase::direct_alltoall2:
      return section::iteration_fft_direct_alltoall2;
    case Phase::local:
      return section::iteration_local;
    case Phase::nonlocal:
      return section::iteration_nonlocal;
    case Phase::wsw:
      return section::iteration_gs_wsw;
    case Phase::wsw_allreduce:
      return section::iteration_gs_wsw_allreduce;
    case Phase::w1sw2_dgemm1:
      return section::iteration_gs_w1sw2_dgemm1;
    case Phase::w1sw2_dgemm2:
      return section::iteration_gs_w1sw2_dgemm2;
    case Phase::w1sw2_allreduce:
      return section::iteration_gs_w1sw2_allreduce;
    case Phase::modbppsi_dgemm1:
      return section::iteration_gs_modbppsi_dgemm1;
    case Phase::modbppsi_dgemm2:
      return section::iteration_gs_modbppsi_dgemm2;
    case Phase::bcast1:
      return section::iteration_gs_bcast1;
    case Phase::bcast2:
      return section::iteration_gs_bcast2;
    case Phase::gs_products:
      return section::iteration_gs_products;
    case Phase::gs_allreduce:
      return section::iteration_gs_allreduce;
    case Phase::eigen:
      return section::iteration_eigen;
    case Phase::subspace:
      return section::iteration_subspace;
    case Phase::subspace_allreduce:
      return section::iteration_subspace_allreduce;
    case Phase::subspace_bcast:
      return section::iteration_subspace_bcast;
    case Phase::residual:
      return section::iteration_residual;
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
  if (phase == Phase::iteration || phase == Phase::fft_inverse || phase == Phase::fft_direct || phase == Phase::gs) {
    open_group(open, phase);
    return;
  }
  open.emplace(leaf_of(phase), work);
  if (phase != Phase::inverse_alltoall1 || delay_ <= 0) return;
  std::this_thread::sleep_for(std::chrono::duration<double>(delay_));  // a spin would delay ranks on the same core
}

}  // namespace tenken::planewave
