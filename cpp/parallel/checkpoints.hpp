// Checkpoints of all ranks together. Each stage has two places that are written in turn, so that a kill while some
// ranks have written and others have not leaves the checkpoint before.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "base/checkpoint.hpp"

namespace tenken {

class Checkpoints {
 public:
  // path: of the files, without what tells stages, places and ranks apart; empty: nothing is written or read.
  Checkpoints(std::string path, CheckpointKey key, MPI_Comm comm)
      : path_(std::move(path)), key_(std::move(key)), comm_(comm) {}

  // Collective. step: how far the stage has come.
  void save(std::int64_t step, const std::function<void(std::ostream&)>& write);
  // Collective: the newest checkpoint that every rank has whole: its step; -1 where there is none. A damaged one is
  // passed over, with a sentence on stderr, where the other place has one. Else refuses as load_checkpoint does.
  std::int64_t load(const std::function<bool(std::istream&, std::int64_t step)>& read);

 private:
  std::string file(int place) const;
  struct Found {
    std::int64_t step = -1;  // -1: none that all ranks have whole
    std::string damaged;     // the sentence of the rank where it is damaged, a general sentence on others
  };
  Found found_in(int place) const;

  std::string path_;
  CheckpointKey key_;
  MPI_Comm comm_;
  int next_ = 0;
};

}  // namespace tenken
