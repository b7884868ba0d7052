// Results of each rank below the local root reach the global root, in one file or in a file a rank.
#pragma once

#include <string>

#include "passes.hpp"

namespace staging {

class StageOut : public Passes {
 public:
  explicit StageOut(const Launch& launch);

  double bytes_of_all() const override;
  double files_of_all() const override { return settings_.one_file ? 1 : launch_.check.ranks(); }
  int read_from() const override { return launch_.local.descriptor(); }

 protected:
  void prepare() override;
  void stage() override;
  void plant() override;
  void verify() override;
  void clean() override;
  double device_bytes() const override { return bytes_of_all(); }

 private:
  Range result_of(int rank) const;  // below the local root
  Range target_of(int rank) const;  // below the global root
};

}  // namespace staging
