#include "storage/work_folder.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "parallel/shared_file.hpp"
#include "storage/budget.hpp"

namespace tenken::storage {

namespace {

// The name of rank 0, on all ranks.
std::string agreed_name(MPI_Comm comm) {
  std::string name = rank_in(comm) == 0 ? new_launch_name(host_name(), start_of_system()) : "";
  auto length = static_cast<int>(name.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  name.resize(static_cast<std::size_t>(length));
  MPI_Bcast(name.data(), length, MPI_CHAR, 0, comm);
  return name;
}

}  // namespace

WorkFolder::WorkFolder(MPI_Comm comm, SystemCalls& system, const std::string& root) : comm_(comm), system_(system) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_in(comm), MPI_INFO_NULL, &node);
  int ranks = 0;
  MPI_Comm_size(node, &ranks);
  node_.resize(static_cast<std::size_t>(ranks));
  const int rank = rank_in(comm);
  MPI_Allgather(&rank, 1, MPI_INT, node_.data(), 1, MPI_INT, node);
  const bool first = rank_in(node) == 0;
  MPI_Comm_free(&node);
  nodes_ = first ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &nodes_, 1, MPI_INT, MPI_SUM, comm);
  const std::string name = agreed_name(comm);
  number_ = std::stoull(name.substr(name.rfind('+') + 1), nullptr, 16);
  together(comm, [&] {
    folder_ = std::make_unique<LaunchFolder>(system, root, name);
    if (first) earlier_ = folder_->remove_earlier(host_name(), start_of_system());
  });
  shared_ = seen_by_all();
}

WorkFolder::~WorkFolder() {
  if (folder_) folder_->leave(rank_in(comm_) == 0);
}

bool WorkFolder::seen_by_all() const {
  constexpr const char* mark = "seen";
  together(comm_, [&] {
    if (rank_in(comm_) != 0) return;
    const int file = system_.open_at(descriptor(), mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (file < 0) impossible(path() + ": " + std::strerror(errno) + "; free space there or name another root");
    system_.close(file);
  });
  const int file = system_.open_at(descriptor(), mark, O_RDONLY | O_NOFOLLOW);
  if (file >= 0) system_.close(file);
  int seen = file >= 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_INT, MPI_MIN, comm_);
  if (rank_in(comm_) == 0) system_.remove(descriptor(), mark, 0);
  MPI_Barrier(comm_);
  return seen == 1;
}

// Ranks whose files lie in the file system of this root.
int WorkFolder::ranks_below_root() const {
  int ranks = static_cast<int>(node_.size());
  if (shared_) MPI_Comm_size(comm_, &ranks);
  return ranks;
}

Space WorkFolder::space() const {
  const auto space = system_.space(descriptor());
  if (!space)
    impossible("root " + folder_->root() + ": " + std::strerror(errno) + " while its free space was asked for");
  return *space;
}

void WorkFolder::require_space(std::int64_t bytes, std::int64_t stated_floor) const {
  const int ranks = ranks_below_root();
  together(comm_, [&] {
    const Space now = space();
    storage::require_space(now, bytes * ranks, floor_of(now, stated_floor), folder_->root());
  });
}

void WorkFolder::require_files(std::int64_t files, std::int64_t bytes, std::int64_t stated_floor) const {
  require_files(std::vector<std::int64_t>(static_cast<std::size_t>(files), bytes), stated_floor);
}

void WorkFolder::require_files(const std::vector<std::int64_t>& sizes, std::int64_t stated_floor) const {
  Space now;
  together(comm_, [&] { now = space(); });
  std::int64_t mine[2] = {static_cast<std::int64_t>(sizes.size()), 0};
  for (const std::int64_t bytes : sizes) {
    mine[1] += (bytes + now.block - 1) / now.block * now.block;  // a file takes whole blocks
  }
  int ranks = 0;
  MPI_Comm_size(comm_, &ranks);
  std::vector<std::int64_t> of_ranks(2 * static_cast<std::size_t>(ranks));
  MPI_Allgather(mine, 2, MPI_INT64_T, of_ranks.data(), 2, MPI_INT64_T, comm_);
  std::int64_t files = 0, bytes = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!shared_ && std::find(node_.begin(), node_.end(), rank) == node_.end()) continue;
    files += of_ranks[2 * static_cast<std::size_t>(rank)];
    bytes += of_ranks[2 * static_cast<std::size_t>(rank) + 1];
  }
  together(comm_, [&] {
    storage::require_files(now, files, folder_->root());
    storage::require_space(now, bytes, floor_of(now, stated_floor), folder_->root());
  });
}

int WorkFolder::next_rank() const {
  const int rank = rank_in(comm_);
  if (node_.size() > 1) {
    const auto next = std::find(node_.begin(), node_.end(), rank) + 1;
    return next == node_.end() ? node_.front() : *next;
  }
  int ranks = 0;
  MPI_Comm_size(comm_, &ranks);
  return shared_ ? (rank + 1) % ranks : rank;
}

void WorkFolder::finish() {
  MPI_Barrier(comm_);
  folder_->leave(shared_ ? rank_in(comm_) == 0 : rank_in(comm_) == node_.front());
  MPI_Barrier(comm_);
}

}  // namespace tenken::storage
