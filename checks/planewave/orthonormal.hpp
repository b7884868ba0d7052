// Gram-Schmidt of the bands of one k-point, in blocks: the owner of a block makes it orthonormal and sends it, and all
// groups take it out of their later bands by two matrix products.
#pragma once

#include <cstdint>
#include <vector>

#include "bands.hpp"
#include "numerics/dft/gram_schmidt.hpp"

namespace tenken::planewave {

// Within a block: halves in turn down to leaves of a few bands (a sum over ranks for each band), or the triangular
// factor of the block's products, twice (two sums a block; A. Stathopoulos, K. Wu, SIAM J. Sci. Comput. 23, 2165
// (2002)). Both give the same bands but for rounding.
enum class Within { halves, cholesky };

class Orthonormaliser : private dft::GramSchmidtWatch {
 public:
  Orthonormaliser(const Groups& groups, Within within, Watch* watch);

  // Makes bands orthonormal: to `against`, which are so already, and among themselves. Products with projectors follow
  // the waves. Returns the least of what was left of a band within its block, as a share of its norm before; about
  // 1e-12 and below, bands were combinations of others.
  double operator()(const BandSplit& split, const Columns& bands, const Columns* against = nullptr);

  void watch(Watch* watch);

 private:
  void enter(dft::GramSchmidtPart part, const Work& work) override;
  void leave(dft::GramSchmidtPart part) override;
  void take_out(Range panel, const Complex* columns, const Columns& bands, std::int64_t first, std::int64_t count);
  double factor(std::int64_t count, const Columns& block);
  void add_up(Phase phase, Complex* numbers, std::int64_t n);

  const Groups& groups_;
  Within within_;
  Watch* watch_;
  Panels panels_;
  std::vector<Complex> overlap_;
};

}  // namespace tenken::planewave
