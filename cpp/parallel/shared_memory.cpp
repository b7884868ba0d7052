#include "parallel/shared_memory.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace tenken {

SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes, std::string_view purpose) : bytes_(bytes) {
  int rank = 0, ranks = 0, here = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node_);
  MPI_Comm_size(node_, &here);
  all_on_one_node_ = here == ranks;
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  // MPICH 4.0 puts into wrong places where a window begins inside a page.
  MPI_Info apart = MPI_INFO_NULL;
  MPI_Info_create(&apart);
  MPI_Info_set(apart, "alloc_shared_noncontig", "true");
  const auto size = static_cast<MPI_Aint>(std::max<std::size_t>(bytes, 1));  // windows without a byte are rare paths
  int failed = MPI_Win_allocate_shared(size, 1, apart, node_, &mine_, &window_) == MPI_SUCCESS ? 0 : 1;
  MPI_Info_free(&apart);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (failed != 0) {
    impossible("the MPI gives no shared memory of " + std::to_string(bytes) + " bytes a rank for " +
               std::string(purpose) + "; choose a smaller problem, or enlarge /dev/shm");
  }
  std::fill_n(mine_, bytes, std::byte{0});
  std::vector<int> of_node(static_cast<std::size_t>(here));
  MPI_Allgather(&rank, 1, MPI_INT, of_node.data(), 1, MPI_INT, node_);
  of_.resize(static_cast<std::size_t>(ranks), nullptr);
  for (int i = 0; i < here; ++i) {
    MPI_Aint queried = 0;
    int unit = 0;
    std::byte* memory = nullptr;
    MPI_Win_shared_query(window_, i, &queried, &unit, &memory);
    of_[static_cast<std::size_t>(of_node[static_cast<std::size_t>(i)])] = memory;
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  MPI_Win_sync(window_);
  MPI_Barrier(comm);
}

SharedMemory::~SharedMemory() {
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  MPI_Comm_free(&node_);
}

}  // namespace tenken
