#include "numerics/dft/filter.hpp"

#include <cmath>
#include <numbers>

#include "numerics/fft.hpp"

namespace tenken::dft {

namespace {

using std::numbers::pi;

constexpr double flat_to = 1.2, fall = 0.4;  // of x
constexpr double last = flat_to + 5 * fall;  // the filter is 1e-11 there
constexpr double beside = 6;                 // Bohr of the box beside the sphere, for what filtered projectors spread

// Wave numbers of one axis of the box, to the end of the filter and beyond those of the grid's own points.
struct Axis {
  Axis(double spacing, double first_offset, int n) : first(static_cast<int>(last * n / 2)) {
    for (int q = -first; q <= first; ++q) {
      const double g = 2 * pi * q / (n * spacing);
      wave.push_back(g);
      square.push_back(g * spacing / pi * (g * spacing / pi));
      phase.push_back(std::polar(1.0, g * first_offset));
      place.push_back((q % n + n) % n);
    }
  }
  std::size_t size() const { return wave.size(); }

  int first;
  std::vector<double> wave, square;  // g, (g h / pi)^2
  std::vector<Complex> phase;
  std::vector<int> place;  // of the wave number that has the same values at the points
};

}  // namespace

double solid_harmonic(int l, std::size_t m, const Vector& r) {
  if (l == 0) return std::sqrt(1 / (4 * pi));
  if (l == 1) return std::sqrt(3 / (4 * pi)) * r[m];
  const double size = std::sqrt(15 / (4 * pi));
  if (m < 3) return size * r[m] * r[(m + 1) % 3];
  const double x = r[0] * r[0], y = r[1] * r[1], z = r[2] * r[2];
  return m == 3 ? size * (x - y) / 2 : size * (2 * z - x - y) / (2 * std::numbers::sqrt3);
}

// Series of a box around the sphere, whose points are those of the grid.
FilteredProjectors filtered_projectors(const Grid& grid, const Vector& position, const std::vector<Channel>& channels,
                                       double radius, const std::vector<Vector>& offsets, bool slopes) {
  const Vector h = grid.spacing();
  Vector lowest;
  std::vector<int> n(3);
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    lowest[d] = std::ceil((position[d] - radius) / h[d]) * h[d] - position[d];
    n[d] = static_cast<int>(std::ceil((2 * radius + beside) / h[d]));
    axes.emplace_back(h[d], lowest[d], n[d]);
  }
  const auto points = static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
  const double volume = static_cast<double>(points) * grid.point_volume();
  struct Member {
    const Channel* channel;
    std::size_t m;
    int axis;  // of a slope, else -1
  };
  std::vector<Member> members;
  for (const Channel& channel : channels)
    for (std::size_t m = 0; m < static_cast<std::size_t>(2 * channel.l + 1); ++m)
      for (int axis = -1; axis < (slopes ? 3 : 0); ++axis) members.push_back({&channel, m, axis});
  std::vector<std::vector<Complex>> spectra(members.size(), std::vector<Complex>(points));
  for (std::size_t i = 0; i < axes[0].size(); ++i)
    for (std::size_t j = 0; j < axes[1].size(); ++j)
      for (std::size_t k = 0; k < axes[2].size(); ++k) {
        const double x = std::sqrt(axes[0].square[i] + axes[1].square[j] + axes[2].square[k]);
        if (x > last) continue;
        const double beyond = x > flat_to ? (x - flat_to) / fall : 0;
        const Vector g{axes[0].wave[i], axes[1].wave[j], axes[2].wave[k]};
        const double length = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        const Complex common =
            axes[0].phase[i] * axes[1].phase[j] * axes[2].phase[k] * std::exp(-beyond * beyond) * (4 * pi / volume);
        const auto place =
            static_cast<std::size_t>((axes[0].place[i] * n[1] + axes[1].place[j]) * n[2] + axes[2].place[k]);
        constexpr Complex turns[3] = {{1, 0}, {0, -1}, {-1, 0}};  // (-i)^l
        Complex radial;
        for (std::size_t c = 0; c < members.size(); ++c) {
          const Member& of = members[c];
          if (c == 0 || of.channel != members[c - 1].channel)
            radial = common * of.channel->of_g(length) * turns[of.channel->l];
          Complex term = radial * solid_harmonic(of.channel->l, of.m, g);
          if (of.axis >= 0) term *= Complex(0, g[static_cast<std::size_t>(of.axis)]);
          spectra[c][place] += term;
        }
      }
  FilteredProjectors filtered;
  for (std::size_t c = 0; c < members.size(); ++c) {
    Complex* const values = spectra[c].data();
    ComplexFft(n, values, values, Direction::backward, Effort::estimate).run();
    auto& to = members[c].axis < 0 ? filtered.value : filtered.slope[static_cast<std::size_t>(members[c].axis)];
    for (const Vector& offset : offsets) {
      int at = 0;
      for (std::size_t d = 0; d < 3; ++d)
        at = at * n[d] + static_cast<int>(std::lround((offset[d] - lowest[d]) / h[d]));
      to.push_back(values[at].real());
    }
  }
  return filtered;
}

}  // namespace tenken::dft
