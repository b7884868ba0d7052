// Recursive Gram-Schmidt over groups of bands, as RSDFT has it (J.-I. Iwata and others, J. Comput. Phys. 229, 2339
// (2010)): every group has all bands on its blocks of the grid. Each block of bands belongs to one group, in turn. When
// a block is orthonormal, its group sends it, and every group takes it out of its later blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "domain.hpp"
#include "numerics/dft/gram_schmidt.hpp"
#include "phases.hpp"

namespace tenken::realspace {

class Orthonormaliser : private dft::GramSchmidtWatch {
 public:
  Orthonormaliser(const Domain& domain, std::int64_t block, Watch* watch)
      : domain_(domain), block_(block), watch_(watch) {}

  // bands: [band][point of the block]; those of `own` are right on this group before, all of them afterwards on every
  // group. Returns the least of what was left of a band within its block, as a share of its norm. Collective.
  double operator()(std::int64_t count, const std::vector<Range>& own_of_group, double* bands);

  // A planted error: overlaps are not summed over the group.
  void lose_sum() { lost_ = true; }
  void watch(Watch* watch) { watch_ = watch; }

 private:
  void enter(dft::GramSchmidtPart part, const Work& work) override;
  void leave(dft::GramSchmidtPart part) override;
  void gather(std::int64_t count, const std::vector<Range>& own_of_group, double* bands);
  void take_out(Range block, std::int64_t first, std::int64_t last, double* bands);

  const Domain& domain_;
  std::int64_t block_;
  Watch* watch_;
  std::vector<double> overlap_;
  bool lost_ = false, of_overlaps_ = false;  // the part that is open
};

}  // namespace tenken::realspace
