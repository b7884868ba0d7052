// Rank 0 exchanges messages with several partners at once.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "lane.hpp"
#include "measure/check.hpp"

namespace mpi_pt2pt {

class Fan {
 public:
  // Collective over the ranks of `check`. Of the numbers of partners those are measured for which there are ranks.
  Fan(tenken::Check& check, Way way);

  void pass();  // one sample with each number of partners

  std::int64_t wrong() const { return wrong_; }  // bytes that came here and are not what was sent

 private:
  struct Step {
    int index;     // in the list of the parameter
    int partners;  // ranks 1 to this
    int calls = 1;
  };

  std::size_t lanes_with(int partners) const;  // of this rank
  void prepare(const Step& step, int calls);
  void run(const Step& step, int calls);

  tenken::Check& check_;
  std::int64_t size_;
  std::deque<Lane> lanes_;  // of rank 0 to ranks 1, 2, ...; of another one to rank 0
  std::vector<Step> steps_;
  std::uint64_t sample_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace mpi_pt2pt
