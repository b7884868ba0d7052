// Bands of one k-point as the ranks of its group have them: blocks of bands go in turn to the band groups, and each
// rank has its share of the waves of its bands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "groups.hpp"
#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"
#include "phases.hpp"

namespace tenken::planewave {

using dft::Complex;

struct BandSplit {
  std::int64_t count = 0, block = 1;
  int groups = 1, group = 0;

  std::int64_t blocks() const { return (count + block - 1) / block; }
  int owner(std::int64_t b) const { return static_cast<int>(b % groups); }  // of block b
  Range range(std::int64_t b) const { return {b * block, std::min(count, (b + 1) * block)}; }
  // Bands of this group, in order; those of its blocks before block b.
  std::int64_t before(std::int64_t b) const;
  std::int64_t mine() const { return before(blocks()); }
  std::int64_t band(std::int64_t mine) const { return (mine / block * groups + group) * block + mine % block; }
};

// Columns of a matrix: the bands of this group, each of `rows` numbers, of which the first `waves` are its waves and
// the others its products with the projectors.
struct Columns {
  std::int64_t waves = 0, rows = 0;
  Complex* data = nullptr;

  Complex* column(std::int64_t mine) const { return data + mine * rows; }
};

// All bands in order, on every rank of the axis of bands: calls body(bands, columns of these). Where there are several
// groups, the owner of each block sends it: the waves, and then the products, where there are any.
class Panels {
 public:
  Panels(const Groups& groups, Watch* watch) : groups_(groups), watch_(watch) {}

  using Body = std::function<void(Range bands, const Complex* columns)>;
  void each(const BandSplit& split, const Columns& columns, Phase of_waves, Phase of_products, const Body& body);
  // One block, from its owner: the columns, on every rank.
  const Complex* send(const BandSplit& split, const Columns& columns, std::int64_t block, Phase of_waves,
                      Phase of_products);
  void watch(Watch* watch) { watch_ = watch; }

 private:
  const Groups& groups_;
  Watch* watch_;
  std::vector<Complex> room_;
};

}  // namespace tenken::planewave
