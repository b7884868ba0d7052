// The systems of a launch: the one that the parameters ask for, or those of an HPL.dat.
#pragma once

#include <string>
#include <vector>

#include "input.hpp"
#include "measure/check.hpp"
#include "system.hpp"

namespace hpl {

class Systems {
 public:
  // Collective. Updates work on `card`, on the processors where it is null. Throws UserError (refused) where no system
  // fits the ranks, or a record would have several.
  explicit Systems(tenken::Check& check, device::Device* card = nullptr);

  // Collective. One system as often as the repetitions ask, several once each. Proves, records, prints by hand and
  // writes the file of --write_input.
  void run();

 private:
  void read(const std::string& file);
  void keep(const System& system);
  void print() const;
  void write_input() const;

  tenken::Check& check_;
  device::Device* card_;
  bool by_hand_;
  Input input_{};
  std::vector<Combination> all_;
  std::vector<std::string> skipped_;
  std::string lines_;
  double worst_ = 0;
  double rate_ = 0;
};

}  // namespace hpl
