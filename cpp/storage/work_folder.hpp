// The folder of a launch for all of its ranks, and which ranks see the same files.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/launch_folder.hpp"

namespace tenken::storage {

class WorkFolder {
 public:
  // Collective over `comm`. Throws UserError on every rank where one cannot use the root.
  WorkFolder(MPI_Comm comm, SystemCalls& system, const std::string& root);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  int descriptor() const { return folder_->descriptor(); }
  std::string path() const { return folder_->path(); }
  // All ranks see the files of all other ranks; else the ranks of a node see the files of that node only.
  bool shared() const { return shared_; }
  const std::vector<int>& node() const { return node_; }  // ranks of this node, in the order of `comm`
  int nodes() const { return nodes_; }
  const Earlier& earlier() const { return earlier_; }  // of this rank; zero on all but the first of a node
  std::uint64_t number() const { return number_; }     // of the launch, the same on all ranks

  // Collective: refuses, before the first byte, where `bytes` of each rank do not fit (storage/budget.hpp).
  void require_space(std::int64_t bytes, std::int64_t stated_floor) const;

  // Collective: refuses, before the first file, where `files` files of each rank, of `bytes` bytes each, do not fit.
  void require_files(std::int64_t files, std::int64_t bytes, std::int64_t stated_floor) const;

  // The same of files of these sizes in bytes, which this rank makes.
  void require_files(const std::vector<std::int64_t>& sizes, std::int64_t stated_floor) const;

  // The next rank of the node, in a circle; where the node of this rank has a single rank, the next rank of all that
  // see the same files, or this rank.
  int next_rank() const;

  // Shows that the launch is alive, where locks do not: once a pass.
  void renew() const { folder_->renew(); }

  // Collective: the files of the launch are gone.
  void finish();

 private:
  bool seen_by_all() const;
  int ranks_below_root() const;
  Space space() const;

  MPI_Comm comm_;
  SystemCalls& system_;
  std::unique_ptr<LaunchFolder> folder_;
  std::vector<int> node_;
  int nodes_ = 1;
  bool shared_ = true;
  Earlier earlier_;
  std::uint64_t number_ = 0;
};

}  // namespace tenken::storage
