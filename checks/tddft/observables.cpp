#include "observables.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "simd/vec.hpp"

namespace tenken::tddft {

namespace {

constexpr int reach = 4;

std::vector<std::ptrdiff_t> places(int n, std::ptrdiff_t each) {
  std::vector<std::ptrdiff_t> place;
  for (int i = 0; i < n + reach; ++i) place.push_back((i % n) * each);
  return place;
}

template <int width>
void density_of(const Form& form, const dft::Grid& grid, double weight, const double* block, double* density) {
  const std::int64_t points = form.plane(grid) - form.gap;
  for (int x = 0; x < grid.points[0]; ++x, block += form.plane(grid) * width, density += points) {
    for (std::int64_t p = 0; p < points; ++p) {
      const auto u = load<Vec<double, width>>(block + p * width);
      auto squares = u * u;
      if constexpr (width >= 8) squares += swap_lanes<4, width>(squares);
      if constexpr (width >= 4) squares += swap_lanes<2, width>(squares);
      density[p] += weight * (squares[0] + squares[1]);
    }
  }
}

// K_d sum |u|^2 + 2 Im sum conj(u) sum_j D_j u(+j)
template <int width>
dft::Vector current_of(const Form& form, const dft::Stencil& s, const double* block) {
  using V = Vec<double, width>;
  const auto n = s.grid.points;
  const dft::Vector h = s.grid.spacing();
  const auto px = places(n[0], form.plane(s.grid) * width), py = places(n[1], std::ptrdiff_t{n[2]} * width),
             pz = places(n[2], width);
  std::array<std::array<double, reach>, 3> d{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t j = 0; j < reach; ++j) d[axis][j] = dft::first_difference[j + 1] / h[axis];
  }
  V sum[3] = {}, squares{};
  for (std::size_t x = 0; x < static_cast<std::size_t>(n[0]); ++x) {
    for (std::size_t y = 0; y < static_cast<std::size_t>(n[1]); ++y) {
      const double* const row = block + px[x] + py[y];
      const double *rx[reach], *ry[reach];
      for (std::size_t j = 0; j < reach; ++j) {
        rx[j] = block + px[x + j + 1] + py[y];
        ry[j] = block + px[x] + py[y + j + 1];
      }
      for (std::size_t z = 0; z < static_cast<std::size_t>(n[2]); ++z) {
        const std::ptrdiff_t at = pz[z];
        const V u = load<V>(row + at);
        V gradient[3] = {};
        TENKEN_UNROLL
        for (std::size_t j = 0; j < reach; ++j) {
          gradient[0] += d[0][j] * load<V>(rx[j] + at);
          gradient[1] += d[1][j] * load<V>(ry[j] + at);
          gradient[2] += d[2][j] * load<V>(row + pz[z + j + 1]);
        }
        TENKEN_UNROLL
        for (int axis = 0; axis < 3; ++axis) sum[axis] += u * swap_lanes<1, width>(gradient[axis]);
        squares += u * u;
      }
    }
  }
  dft::Vector total{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double imaginary = 0, norm = 0;
    for (int lane = 0; lane < width; ++lane) {
      imaginary += lane % 2 == 0 ? sum[axis][lane] : -sum[axis][lane];
      norm += squares[lane];
    }
    total[axis] = (s.k[axis] * norm + 2 * imaginary) * s.grid.point_volume();
  }
  return total;
}

}  // namespace

void add_density(const Form& form, const dft::Grid& grid, double weight, const double* block, double* density) {
  switch (form.bands()) {
    case 4:
      return density_of<8>(form, grid, weight, block, density);
    case 2:
      return density_of<4>(form, grid, weight, block, density);
    default:
      return density_of<2>(form, grid, weight, block, density);
  }
}

dft::Vector kinetic_current(const Form& form, const dft::Stencil& stencil, const double* block) {
  switch (form.bands()) {
    case 4:
      return current_of<8>(form, stencil, block);
    case 2:
      return current_of<4>(form, stencil, block);
    default:
      return current_of<2>(form, stencil, block);
  }
}

}  // namespace tenken::tddft
