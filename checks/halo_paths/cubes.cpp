#include "cubes.hpp"

namespace halo_paths {

namespace {
constexpr std::int64_t line = tenken::flag_distance / sizeof(double);
constexpr std::int64_t numbers = 5 * line;  // behind the cube, the first and the last line unused
}  // namespace

Cubes::Cubes(MPI_Comm comm, std::int64_t n)
    : comm_(comm), n_(n), memory_(comm, static_cast<std::size_t>(n * n * n + numbers) * sizeof(double), "cubes") {}

std::atomic_ref<std::int64_t> Cubes::ready(int rank, Face face) const {
  std::byte* const behind = memory_.of(rank) + static_cast<std::size_t>(n_ * n_ * n_) * sizeof(double);
  return std::atomic_ref(reinterpret_cast<std::int64_t*>(behind)[line * (1 + static_cast<int>(face))]);
}

}  // namespace halo_paths
