// Plans of the three local transforms of transform.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "numerics/fft.hpp"
#include "transform_layout.hpp"

namespace tenken::planewave::pencil {

// `all` lines of n numbers, a tile of them at a time; the last tile may have fewer lines.
class TiledFft {
 public:
  TiledFft(int n, std::int64_t all, FftLines in, FftLines out, Direction direction, Effort effort) : all_(all) {
    if (all >= tile) whole_.emplace(n, tile, in, out, direction, effort);
    // In multiples of 64 bytes: FFTW then uses whole registers.
    const auto rest = static_cast<int>(rounded(all % tile, unit));
    if (rest > 0) rest_.emplace(n, rest, in, out, direction, effort);
  }

  std::int64_t tiles() const { return (all_ + tile - 1) / tile; }
  int width(std::int64_t t) const { return static_cast<int>(std::min<std::int64_t>(tile, all_ - t * tile)); }
  void run(int width, const Complex* in, Complex* out) const { (width == tile ? whole_ : rest_)->run(in, out); }

 private:
  std::int64_t all_;
  std::optional<ManyFft> whole_, rest_;
};

// Of one direction: z contiguous, y side by side, x from side by side to contiguous or the other way.
struct Plans {
  Plans(const Sphere& sphere, Direction direction, Effort effort)
      : z(sphere.grid().points[2], group, pitched(sphere), pitched(sphere), direction, effort),
        y(sphere.grid().points[1], sphere.z().size(), beside, beside, direction, effort),
        x(sphere.grid().points[0], sphere.y().size() * sphere.z().size(),
          direction == Direction::backward ? beside : contiguous(sphere),
          direction == Direction::backward ? contiguous(sphere) : beside, direction, effort) {}

  static constexpr FftLines beside{tile, 1};
  static FftLines contiguous(const Sphere& sphere) { return {1, sphere.grid().points[0]}; }
  static FftLines pitched(const Sphere& sphere) {
    return {1, static_cast<int>(rounded(sphere.grid().points[2], unit))};
  }

  ManyFft z;
  TiledFft y, x;
};

}  // namespace tenken::planewave::pencil
