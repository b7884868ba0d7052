#include <vector>

#include "stencil/pass.hpp"

namespace tenken::tddft {

namespace {

constexpr int reach = 4;

std::vector<std::int32_t> wrap_table(int n) {
  std::vector<std::int32_t> table(static_cast<std::size_t>(n + 2 * reach));
  for (int i = -reach; i < n + reach; ++i) table[static_cast<std::size_t>(i + reach)] = (i % n + n) % n;
  return table;
}

}  // namespace

void stencil_compiler(const dft::Stencil& s, const double* potential, const double* in, double* out) {
  const int nx = s.grid.points[0], ny = s.grid.points[1], nz = s.grid.points[2];
  const std::vector<std::int32_t> tx = wrap_table(nx), ty = wrap_table(ny), tz = wrap_table(nz);
  const std::int32_t* const ix = tx.data() + reach;
  const std::int32_t* const iy = ty.data() + reach;
  const std::int32_t* const iz = tz.data() + reach;
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      const auto row = [&](int at_x, int at_y) { return in + 2 * (std::ptrdiff_t{at_x} * ny + at_y) * nz; };
      const double* const here = row(x, y);
      const double* const v = potential + (std::ptrdiff_t{x} * ny + y) * nz;
      double* const to = out + 2 * (std::ptrdiff_t{x} * ny + y) * nz;
      const double *xu[reach], *xd[reach], *yu[reach], *yd[reach];
      for (int j = 0; j < reach; ++j) {
        xu[j] = row(ix[x + j + 1], y);
        xd[j] = row(ix[x - j - 1], y);
        yu[j] = row(x, iy[y + j + 1]);
        yd[j] = row(x, iy[y - j - 1]);
      }
      for (int z = 0; z < nz; ++z) {
        double even_re = (v[z] + s.diagonal) * here[2 * z], even_im = (v[z] + s.diagonal) * here[2 * z + 1];
        double odd_re = 0, odd_im = 0;
        for (int j = 0; j < reach; ++j) {
          const std::int32_t zu = iz[z + j + 1], zd = iz[z - j - 1];
          even_re += s.second_half[0][j] * (xu[j][2 * z] + xd[j][2 * z]) +
                     s.second_half[1][j] * (yu[j][2 * z] + yd[j][2 * z]) +
                     s.second_half[2][j] * (here[2 * zu] + here[2 * zd]);
          even_im += s.second_half[0][j] * (xu[j][2 * z + 1] + xd[j][2 * z + 1]) +
                     s.second_half[1][j] * (yu[j][2 * z + 1] + yd[j][2 * z + 1]) +
                     s.second_half[2][j] * (here[2 * zu + 1] + here[2 * zd + 1]);
          odd_re += s.first[0][j] * (xu[j][2 * z] - xd[j][2 * z]) + s.first[1][j] * (yu[j][2 * z] - yd[j][2 * z]) +
                    s.first[2][j] * (here[2 * zu] - here[2 * zd]);
          odd_im += s.first[0][j] * (xu[j][2 * z + 1] - xd[j][2 * z + 1]) +
                    s.first[1][j] * (yu[j][2 * z + 1] - yd[j][2 * z + 1]) +
                    s.first[2][j] * (here[2 * zu + 1] - here[2 * zd + 1]);
        }
        to[2 * z] = even_re + odd_im;
        to[2 * z + 1] = even_im - odd_re;
      }
    }
  }
}

}  // namespace tenken::tddft
