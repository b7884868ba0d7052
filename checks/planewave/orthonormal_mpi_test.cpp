// Gram-Schmidt over ranks against its definition on one.
#include <doctest/doctest.h>

#include <cmath>

#include "base/random.hpp"
#include "orthonormal.hpp"

using namespace tenken;
using namespace tenken::planewave;

namespace {

constexpr std::int64_t waves = 97, products = 5, rows = waves + products;

std::vector<Complex> whole_bands(std::int64_t count, std::uint64_t stream) {
  const RandomStream random(5, stream);
  std::vector<Complex> all(static_cast<std::size_t>(count * rows));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {random.uniform(2 * i) - 0.3, random.uniform(2 * i + 1) - 0.5};
  return all;
}

// Bands of the definition, whose rows behind the waves follow these.
void plain(std::int64_t first, std::int64_t count, std::vector<Complex>& all) {
  for (std::int64_t b = first; b < count; ++b) {
    Complex* const band = all.data() + b * rows;
    for (std::int64_t a = 0; a < b; ++a) {
      const Complex* const other = all.data() + a * rows;
      Complex overlap = 0;
      for (std::int64_t w = 0; w < waves; ++w) overlap += std::conj(other[w]) * band[w];
      for (std::int64_t w = 0; w < rows; ++w) band[w] -= overlap * other[w];
    }
    double square = 0;
    for (std::int64_t w = 0; w < waves; ++w) square += std::norm(band[w]);
    for (std::int64_t w = 0; w < rows; ++w) band[w] /= std::sqrt(square);
  }
}

struct Share {
  Share(const Groups& groups, const BandSplit& split)
      : split(split), own(share_of(waves, groups.wave_rank(), groups.grid().waves())) {}

  std::vector<Complex> of(const std::vector<Complex>& all, std::int64_t first) const {
    std::vector<Complex> mine;
    for (std::int64_t b = 0; b < split.mine(); ++b) {
      const Complex* const band = all.data() + (first + split.band(b)) * rows;
      mine.insert(mine.end(), band + own.first, band + own.last);
      mine.insert(mine.end(), band + waves, band + rows);
    }
    return mine;
  }
  Columns columns(std::vector<Complex>& mine) const { return {own.size(), own.size() + products, mine.data()}; }
  double off(const std::vector<Complex>& mine, const std::vector<Complex>& all, std::int64_t first) const {
    const std::vector<Complex> exact = of(all, first);
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) worst = std::max(worst, std::abs(mine[i] - exact[i]));
    return worst;
  }

  BandSplit split;
  Range own;
};

std::vector<GroupGrid> grids(int ranks) {
  std::vector<GroupGrid> all;
  for (int bands = 1; bands <= ranks; ++bands)
    if (ranks % bands == 0) all.push_back({1, bands, 1, ranks / bands});
  return all;
}

int world_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

}  // namespace

TEST_CASE("both forms give the bands of the definition on every grid of ranks") {
  constexpr std::int64_t count = 14;
  std::vector<Complex> exact = whole_bands(2 * count, 1);
  const std::vector<Complex> first = exact;
  plain(0, 2 * count, exact);
  for (const GroupGrid& grid : grids(world_ranks())) {
    const Groups groups(MPI_COMM_WORLD, grid);
    for (const Within within : {Within::halves, Within::cholesky}) {
      for (const std::int64_t block : {3, 8, 14}) {
        CAPTURE(grid.bands);
        CAPTURE(block);
        const Share share(groups, {count, block, grid.bands, groups.band()});
        Orthonormaliser orthonormalise(groups, within, nullptr);
        std::vector<Complex> lower = share.of(first, 0), upper = share.of(first, count);
        CHECK(orthonormalise(share.split, share.columns(lower)) > 1e-3);
        CHECK(share.off(lower, exact, 0) < 1e-12);
        const Columns against = share.columns(lower);
        CHECK(orthonormalise(share.split, share.columns(upper), &against) > 1e-3);
        CHECK(share.off(upper, exact, count) < 1e-12);
      }
    }
  }
}

TEST_CASE("what is left of a band that others make up is next to nothing") {
  constexpr std::int64_t count = 6;
  std::vector<Complex> all = whole_bands(count, 2);
  for (std::int64_t i = 0; i < rows; ++i)  // band 4 = 2 x band 1 - band 3
    all[static_cast<std::size_t>(4 * rows + i)] =
        2.0 * all[static_cast<std::size_t>(rows + i)] - all[static_cast<std::size_t>(3 * rows + i)];
  const Groups groups(MPI_COMM_WORLD, {1, 1, 1, world_ranks()});
  for (const Within within : {Within::halves, Within::cholesky}) {
    const Share share(groups, {count, 6, 1, 0});
    Orthonormaliser orthonormalise(groups, within, nullptr);
    std::vector<Complex> mine = share.of(all, 0);
    CHECK(orthonormalise(share.split, share.columns(mine)) < 1e-10);
  }
}
