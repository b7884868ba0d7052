#include "numerics/dft/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tenken::dft {

namespace {

constexpr int reach = 4;

int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

// Second and first difference of exp(i w x) by their coefficients: values of -1/2 d2/dx2 and of -i d/dx.
double second_symbol(double phase, double h) {
  double sum = second_difference[0];
  for (std::size_t j = 1; j <= reach; ++j) sum += 2 * second_difference[j] * std::cos(static_cast<double>(j) * phase);
  return -sum / (2 * h * h);
}
double first_symbol(double phase, double h) {
  double sum = 0;
  for (std::size_t j = 1; j <= reach; ++j) sum += 2 * first_difference[j] * std::sin(static_cast<double>(j) * phase);
  return sum / h;
}

// A row of z and four more points at either end, as pairs of numbers.
void copy_with_ends(const Complex* row, int n, double* extended) {
  const auto* numbers = reinterpret_cast<const double*>(row);
  for (int j = 0; j < reach; ++j) {
    const int before = wrapped(j - reach, n), after = wrapped(j, n);
    for (int c = 0; c < 2; ++c) {
      extended[2 * j + c] = numbers[2 * before + c];
      extended[2 * (n + reach + j) + c] = numbers[2 * after + c];
    }
  }
  std::copy_n(numbers, 2 * n, extended + 2 * reach);
}

}  // namespace

Stencil::Stencil(const Grid& of, const Vector& at) : grid(of), k(at), diagonal(0) {
  const Vector h = grid.spacing();
  for (std::size_t d = 0; d < 3; ++d) {
    diagonal += (k[d] * k[d] - second_difference[0] / (h[d] * h[d])) / 2;
    for (std::size_t j = 0; j < reach; ++j) {
      second_half[d][j] = -second_difference[j + 1] / (2 * h[d] * h[d]);
      first[d][j] = k[d] * first_difference[j + 1] / h[d];
    }
  }
}

double largest_kinetic(const Stencil& stencil) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = stencil.grid.spacing()[d];
    double largest = 0;
    for (int i = 0; i < stencil.grid.points[d]; ++i) {
      const double phase = 2 * std::numbers::pi * i / stencil.grid.points[d];
      largest = std::max(largest, second_symbol(phase, h) + stencil.k[d] * first_symbol(phase, h));
    }
    sum += largest + stencil.k[d] * stencil.k[d] / 2;
  }
  return sum;
}

double kinetic_of_plane_wave(const Stencil& stencil, const std::array<int, 3>& n) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = stencil.grid.spacing()[d];
    const double phase = 2 * std::numbers::pi * n[d] / stencil.grid.points[d];
    sum += second_symbol(phase, h) + stencil.k[d] * first_symbol(phase, h) + stencil.k[d] * stencil.k[d] / 2;
  }
  return sum;
}

void apply_plain(const Stencil& s, const double* potential, const Complex* in, Complex* out) {
  const int nx = s.grid.points[0], ny = s.grid.points[1], nz = s.grid.points[2];
  const auto at = [&](int x, int y, int z) { return (std::int64_t{x} * ny + y) * nz + z; };
  constexpr Complex i{0, 1};
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < nz; ++z) {
        Complex sum = (potential[at(x, y, z)] + s.diagonal) * in[at(x, y, z)];
        for (int j = 1; j <= reach; ++j) {
          const auto c = static_cast<std::size_t>(j - 1);
          const Complex after[3]{in[at(wrapped(x + j, nx), y, z)], in[at(x, wrapped(y + j, ny), z)],
                                 in[at(x, y, wrapped(z + j, nz))]};
          const Complex before[3]{in[at(wrapped(x - j, nx), y, z)], in[at(x, wrapped(y - j, ny), z)],
                                  in[at(x, y, wrapped(z - j, nz))]};
          for (std::size_t d = 0; d < 3; ++d) {
            sum += s.second_half[d][c] * (after[d] + before[d]);
            sum -= i * s.first[d][c] * (after[d] - before[d]);
          }
        }
        out[at(x, y, z)] = sum;
      }
}

// Of each row of z first the real combinations of neighbours, then the product by -i, so that loops run over numbers.
void apply_rows(const Stencil& s, const double* potential, const Complex* in, Complex* out) {
  const int nx = s.grid.points[0], ny = s.grid.points[1], nz = s.grid.points[2];
  const int n = 2 * nz;
  static thread_local std::vector<double> room;
  room.resize(static_cast<std::size_t>(3 * n + 4 * reach));
  double* const straight = room.data();
  double* const turned = straight + n;
  double* const own = turned + n;  // row with its ends
  const auto row = [&](int x, int y) {
    return reinterpret_cast<const double*>(in + (std::int64_t{wrapped(x, nx)} * ny + wrapped(y, ny)) * nz);
  };
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y) {
      const std::int64_t first = (std::int64_t{x} * ny + y) * nz;
      copy_with_ends(in + first, nz, own);
      const double* const v = potential + first;
      const double* const here = own + 2 * reach;
      for (int z = 0; z < nz; ++z) {
        straight[2 * z] = (v[z] + s.diagonal) * here[2 * z];
        straight[2 * z + 1] = (v[z] + s.diagonal) * here[2 * z + 1];
      }
      std::fill_n(turned, n, 0.0);
      for (int j = 1; j <= reach; ++j) {
        const auto c = static_cast<std::size_t>(j - 1);
        const double* const ax = row(x + j, y);
        const double* const bx = row(x - j, y);
        const double* const ay = row(x, y + j);
        const double* const by = row(x, y - j);
        const double* const az = here + 2 * j;
        const double* const bz = here - 2 * j;
        const double cx = s.second_half[0][c], cy = s.second_half[1][c], cz = s.second_half[2][c];
        const double dx = s.first[0][c], dy = s.first[1][c], dz = s.first[2][c];
#pragma omp simd
        for (int i = 0; i < n; ++i) {
          straight[i] += cx * (ax[i] + bx[i]) + cy * (ay[i] + by[i]) + cz * (az[i] + bz[i]);
          turned[i] += dx * (ax[i] - bx[i]) + dy * (ay[i] - by[i]) + dz * (az[i] - bz[i]);
        }
      }
      auto* const result = reinterpret_cast<double*>(out + first);
      for (int z = 0; z < nz; ++z) {
        result[2 * z] = straight[2 * z] + turned[2 * z + 1];
        result[2 * z + 1] = straight[2 * z + 1] - turned[2 * z];
      }
    }
}

}  // namespace tenken::dft
