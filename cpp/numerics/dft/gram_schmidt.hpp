// Gram-Schmidt orthonormalisation of bands, almost all of it in matrix products: halves of the bands are taken in turn,
// the second made orthogonal to the first by two products, down to leaves of a few bands (J.-I. Iwata et al., J.
// Comput. Phys. 229, 2339 (2010), as RSDFT does).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/phases.hpp"
#include "base/work.hpp"
#include "numerics/dft/reduce.hpp"
#include "numerics/dft/row_team.hpp"
#include "numerics/dft/system.hpp"

namespace tenken::dft {

// Parts of the orthonormalisation, for who times them: norms and products of the few bands of a leaf, products of two
// halves, what one half takes out of the other, and the sums of products over ranks.
enum class GramSchmidtPart { leaf, leaf_sum, overlap, overlap_sum, update };
using GramSchmidtWatch = PhaseWatch<GramSchmidtPart>;

template <class Scalar>
class GramSchmidt {
 public:
  // Bands are projected in blocks of `block` against those before, then halved within the block.
  explicit GramSchmidt(std::int64_t block = 256) : block_(block) {}
  // One of these for each thread of a team, which call together; the bands are whole again after team.wait().
  explicit GramSchmidt(RowTeam& team, std::int64_t block = 256) : block_(block), team_(&team) {}
  // Of ranks that have a part of each band; all of them call together.
  explicit GramSchmidt(Reduce reduce, std::int64_t block = 256, GramSchmidtWatch* watch = nullptr)
      : block_(block), reduce_(std::move(reduce)), watch_(watch) {}

  // bands: [band][point], orthonormal in the sense sum conj(a) b weight afterwards. Returns false where a band was a
  // combination of those before it, to rounding.
  bool operator()(std::int64_t count, std::int64_t points, double weight, Scalar* bands) {
    return (*this)(count, points, 0, weight, bands);
  }
  // Each band has `extra` numbers behind its points, that are combined as these are but do not count in products. Not
  // with a team.
  bool operator()(std::int64_t count, std::int64_t points, std::int64_t extra, double weight, Scalar* bands);

  // Of the last call: the least of what was left of a band, as a share of its norm.
  double least_left() const { return least_left_; }

 private:
  // [first, last) against each other
  bool within(std::int64_t first, std::int64_t last);
  bool leaf(std::int64_t first, std::int64_t last);
  // takes out of [to, last) what lies in [from, to)
  void project(std::int64_t from, std::int64_t to, std::int64_t last);
  void sum(GramSchmidtPart part, double* numbers, std::size_t n);
  void add_up(GramSchmidtPart part, Scalar* numbers, std::int64_t n);

  std::int64_t block_;
  RowTeam* team_ = nullptr;
  Reduce reduce_;
  GramSchmidtWatch* watch_ = nullptr;
  std::int64_t stride_ = 0, rows_ = 0, all_rows_ = 0;  // from one band to the next, and of this thread
  double least_left_ = 1;
  double weight_ = 1;
  Scalar* bands_ = nullptr;     // at the first row of this thread
  std::vector<double> before_;  // squares of the bands as they came
  std::vector<Scalar> overlap_;
};

// Share of the flop of so many bands that is in products whose smaller side has 64 bands and more.
double large_product_share(std::int64_t count, std::int64_t block);

// By the definition, for tests: each band against all before it, one by one (modified).
template <class Scalar>
void gram_schmidt_plain(std::int64_t count, std::int64_t points, double weight, Scalar* bands);

// Flop in real operations: a product and a sum of complex numbers count 8, of real ones 2.
constexpr Work gram_schmidt_work(std::int64_t count, std::int64_t points, bool complex) {
  const std::int64_t bytes = complex ? 16 : 8;
  return {.flop = (complex ? 8 : 2) * count * count * points,
          .bytes_read = count * points * bytes,
          .bytes_written = count * points * bytes};
}

}  // namespace tenken::dft
