#include "cubes.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace halo_paths {

namespace {
constexpr std::int64_t line = 16;           // values of 8 bytes: 128 bytes, which no prefetcher moves with others
constexpr std::int64_t numbers = 5 * line;  // behind the cube, the first and the last line unused
}  // namespace

Cubes::Cubes(MPI_Comm comm, std::int64_t n) : comm_(comm), n_(n) {
  int rank = 0, ranks = 0, here = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node_);
  MPI_Comm_size(node_, &here);
  shared_ = here == ranks;
  const auto bytes = static_cast<MPI_Aint>((n * n * n + numbers) * static_cast<std::int64_t>(sizeof(double)));
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  // Each cube in pages near its rank. MPICH 4.0 puts into wrong places where a window begins inside a page.
  MPI_Info apart = MPI_INFO_NULL;
  MPI_Info_create(&apart);
  MPI_Info_set(apart, "alloc_shared_noncontig", "true");
  int failed = MPI_Win_allocate_shared(bytes, 1, apart, node_, &cube_, &window_) == MPI_SUCCESS ? 0 : 1;
  MPI_Info_free(&apart);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (failed != 0) {
    tenken::impossible("the MPI gives no shared memory of " + std::to_string(bytes) +
                       " bytes a rank; choose a smaller --n, or enlarge /dev/shm");
  }
  std::fill_n(cube_, n * n * n + numbers, 0.0);
  std::vector<int> of_node(static_cast<std::size_t>(here));
  MPI_Allgather(&rank, 1, MPI_INT, of_node.data(), 1, MPI_INT, node_);
  cubes_.resize(static_cast<std::size_t>(ranks), nullptr);
  numbers_.resize(static_cast<std::size_t>(ranks), nullptr);
  for (int i = 0; i < here; ++i) {
    MPI_Aint size = 0;
    int unit = 0;
    double* cube = nullptr;
    MPI_Win_shared_query(window_, i, &size, &unit, &cube);
    const auto at = static_cast<std::size_t>(of_node[static_cast<std::size_t>(i)]);
    cubes_[at] = cube;
    numbers_[at] = reinterpret_cast<std::int64_t*>(cube + n * n * n);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  MPI_Win_sync(window_);
  MPI_Barrier(comm);
}

Cubes::~Cubes() {
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  MPI_Comm_free(&node_);
}

std::atomic_ref<std::int64_t> Cubes::ready(int rank, Face face) const {
  return std::atomic_ref(numbers_[static_cast<std::size_t>(rank)][line * (1 + static_cast<int>(face))]);
}

}  // namespace halo_paths
