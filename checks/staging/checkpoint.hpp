// Checkpoints of a state: written under another name, synchronised, renamed, and the folder synchronised.
#pragma once

#include <string>

#include "passes.hpp"

namespace staging {

class Checkpoint : public Passes {
 public:
  explicit Checkpoint(const Launch& launch);

  double bytes_of_all() const override;
  double files_of_all() const override { return launch_.check.ranks(); }
  int read_from() const override { return -1; }

 protected:
  void prepare() override;
  void stage() override;
  void plant() override;
  void verify() override;
  void clean() override {}

 private:
  Range state_of(int rank) const;

  tenken::Buffer<std::uint64_t> state_;
};

}  // namespace staging
