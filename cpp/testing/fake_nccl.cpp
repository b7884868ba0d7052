// Stands for NCCL: cards in memory of the host, data carried by MPI at once. All ranks are in the communicator.
#include <mpi.h>
#include <nccl.h>

#include <cstring>
#include <vector>

struct ncclComm {
  MPI_Comm comm;
};

namespace {
constexpr char mark[] = "made by the first rank";
std::vector<MPI_Request> group;

MPI_Datatype type_of(ncclDataType_t type) { return type == ncclFloat64 ? MPI_DOUBLE : MPI_INT32_T; }
}  // namespace

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memcpy(id->internal, mark, sizeof mark);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  int own = 0;
  int all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  if (ranks != all || rank != own || std::memcmp(id.internal, mark, sizeof mark) != 0) return ncclInvalidArgument;
  *comm = new ncclComm{};
  MPI_Comm_dup(MPI_COMM_WORLD, &(*comm)->comm);
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  MPI_Comm_free(&comm->comm);
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* in, void* out, size_t n, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t comm, cudaStream_t) {
  if (operation != ncclSum) return ncclInvalidArgument;
  MPI_Allreduce(in, out, static_cast<int>(n), type_of(type), MPI_SUM, comm->comm);
  return ncclSuccess;
}

ncclResult_t ncclSend(const void* in, size_t n, ncclDataType_t type, int to, ncclComm_t comm, cudaStream_t) {
  MPI_Isend(in, static_cast<int>(n), type_of(type), to, 0, comm->comm, &group.emplace_back());
  return ncclSuccess;
}

ncclResult_t ncclRecv(void* out, size_t n, ncclDataType_t type, int from, ncclComm_t comm, cudaStream_t) {
  MPI_Irecv(out, static_cast<int>(n), type_of(type), from, 0, comm->comm, &group.emplace_back());
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  group.clear();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  MPI_Waitall(static_cast<int>(group.size()), group.data(), MPI_STATUSES_IGNORE);
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t) { return "planted"; }

}  // extern "C"
