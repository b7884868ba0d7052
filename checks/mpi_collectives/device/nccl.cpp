#include "device/nccl.hpp"

#include <dlfcn.h>
#include <nccl.h>

#include <string>

#include "base/error.hpp"

namespace mpi_collectives::device {

namespace {

// NCCL, opened when the variant runs: programs start where it is not installed.
class Library {
 public:
  Library() : library_(opened()) {
    load(get_unique_id, "ncclGetUniqueId");
    load(init, "ncclCommInitRank");
    load(destroy, "ncclCommDestroy");
    load(allreduce, "ncclAllReduce");
    load(send, "ncclSend");
    load(receive, "ncclRecv");
    load(begin_group, "ncclGroupStart");
    load(end_group, "ncclGroupEnd");
    load(text_of, "ncclGetErrorString");
  }

  void expect(ncclResult_t result, const char* call) const {
    if (result == ncclSuccess) return;
    tenken::impossible(std::string("NCCL: ") + call + " failed: " + text_of(result) +
                       "; NCCL_DEBUG=INFO prints the reason");
  }

  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRank) init = nullptr;
  decltype(&ncclCommDestroy) destroy = nullptr;
  decltype(&ncclAllReduce) allreduce = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGroupStart) begin_group = nullptr;
  decltype(&ncclGroupEnd) end_group = nullptr;

 private:
  // By its number, else by its path at build time.
  static void* opened() {
    const std::string name = "libnccl.so." + std::to_string(NCCL_MAJOR);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
#if defined(TENKEN_NCCL)
    if (library == nullptr) library = dlopen(TENKEN_NCCL, RTLD_NOW | RTLD_LOCAL);
#endif
    if (library == nullptr) tenken::lacking("no NCCL: " + name + " was looked for; add its folder to LD_LIBRARY_PATH");
    return library;
  }

  template <class Function>
  void load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) tenken::lacking(std::string("this NCCL has no ") + name);
  }

  void* library_;
  decltype(&ncclGetErrorString) text_of = nullptr;
};

class ByNccl final : public Carrier {
 public:
  ByNccl(MPI_Comm comm, Device& card) : card_(card) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks_);
    ncclUniqueId id{};
    if (rank == 0) nccl_.expect(nccl_.get_unique_id(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm);
    card.select();
    nccl_.expect(nccl_.init(&comm_, ranks_, id, rank), "ncclCommInitRank");
  }
  ~ByNccl() override { (void)nccl_.destroy(comm_); }
  ByNccl(const ByNccl&) = delete;
  ByNccl& operator=(const ByNccl&) = delete;

  void allreduce(const std::byte* given, std::byte* sums, std::int64_t n, bool doubles) override {
    nccl_.expect(nccl_.allreduce(given, sums, static_cast<std::size_t>(n), doubles ? ncclFloat64 : ncclInt32, ncclSum,
                                 comm_, nullptr),
                 "ncclAllReduce");
    card_.wait();
  }
  void alltoall(const std::byte* given, std::byte* got, std::int64_t words) override {
    const auto n = static_cast<std::size_t>(words);
    nccl_.expect(nccl_.begin_group(), "ncclGroupStart");
    for (int other = 0; other < ranks_; ++other) {
      const std::size_t at = 4 * n * static_cast<std::size_t>(other);
      nccl_.expect(nccl_.send(given + at, n, ncclInt32, other, comm_, nullptr), "ncclSend");
      nccl_.expect(nccl_.receive(got + at, n, ncclInt32, other, comm_, nullptr), "ncclRecv");
    }
    nccl_.expect(nccl_.end_group(), "ncclGroupEnd");
    card_.wait();
  }

 private:
  Library nccl_;
  Device& card_;
  int ranks_ = 1;
  ncclComm_t comm_ = nullptr;
};

}  // namespace

std::unique_ptr<Carrier> carried_by_nccl(MPI_Comm comm, Device& card) { return std::make_unique<ByNccl>(comm, card); }

}  // namespace mpi_collectives::device
