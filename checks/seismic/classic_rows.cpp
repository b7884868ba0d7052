#include "classic_rows.hpp"

#include <algorithm>

#include "this_check.hpp"

extern "C" {
void seismic_slopes_of_stress(int columns, int depth, std::int64_t dx, std::int64_t dy, float near, float far,
                              const float* sxx, const float* syy, const float* szz, const float* sxy, const float* sxz,
                              const float* syz, float* d1, float* d2, float* d3, float* d4, float* d5, float* d6,
                              float* d7, float* d8, float* d9);
void seismic_slopes_of_velocity(int columns, int depth, std::int64_t dx, std::int64_t dy, float near, float far,
                                const float* vx, const float* vy, const float* vz, float* d1, float* d2, float* d3,
                                float* d4, float* d5, float* d6, float* d7, float* d8, float* d9);
void seismic_update_velocity(int columns, int depth, std::int64_t dx, std::int64_t dy, const float* density,
                             const float* d1, const float* d2, const float* d3, const float* d4, const float* d5,
                             const float* d6, const float* d7, const float* d8, const float* d9, float* vx, float* vy,
                             float* vz);
void seismic_update_stress(int columns, int depth, std::int64_t dx, std::int64_t dy, const float* lambda,
                           const float* compliance, const float* d1, const float* d2, const float* d3, const float* d4,
                           const float* d5, const float* d6, const float* d7, const float* d8, const float* d9,
                           float* sxx, float* syy, float* szz, float* sxy, float* sxz, float* syz);
}

namespace tenken::seismic {

namespace {

constexpr bool built = this_check::built::classic_fortran;

// What Fortran gets of a row: from the first of its columns that is in no layer, and how many.
struct Inside {
  std::int64_t begin;  // two rows before the first value
  int columns, depth;
};
template <class Real>
Inside inside(const Block<Real>& block, const Row& row) {
  const Layout& l = block.layout();
  const int i0 = std::max(row.i0, block.first_inside_x()), i1 = std::min(row.i1, block.last_inside_x());
  const int columns = block.in_layer_y(row.j) ? 0 : std::max(i1 - i0, 0);
  return {l.at(i0, row.j) + block.first_inside_z() - 2 * l.row(), columns,
          block.last_inside_z() - block.first_inside_z()};
}

}  // namespace

template <>
void stress_slopes(Block<float>& block, const Row& row, bool fortran) {
  if (!fortran) return block.slopes_of_stress(row);
  if constexpr (built) {
    const View<float>& w = block.view();
    const Layout& l = block.layout();
    const std::int64_t at = l.at(row.i0, row.j) - 2 * l.row();
    const auto& s = w.s;
    const auto& d = w.slope;
    seismic_slopes_of_stress(row.i1 - row.i0, l.depth(), w.dx, w.dy, w.near, w.far, s[0] + at, s[1] + at, s[2] + at,
                             s[3] + at, s[4] + at, s[5] + at, d[0] + at, d[1] + at, d[2] + at, d[3] + at, d[4] + at,
                             d[5] + at, d[6] + at, d[7] + at, d[8] + at);
  }
}
template <>
void velocity_slopes(Block<float>& block, const Row& row, bool fortran) {
  if (!fortran) return block.slopes_of_velocity(row);
  if constexpr (built) {
    block.above_velocity(row);
    const View<float>& w = block.view();
    const Layout& l = block.layout();
    const std::int64_t at = l.at(row.i0, row.j) - 2 * l.row();
    const auto& d = w.slope;
    seismic_slopes_of_velocity(row.i1 - row.i0, l.depth(), w.dx, w.dy, w.near, w.far, w.v[0] + at, w.v[1] + at,
                               w.v[2] + at, d[0] + at, d[1] + at, d[2] + at, d[3] + at, d[4] + at, d[5] + at, d[6] + at,
                               d[7] + at, d[8] + at);
  }
}
template <>
void velocity_in_fortran(Block<float>& block, const Row& row) {
  if constexpr (built) {
    const View<float>& w = block.view();
    const auto [at, columns, depth] = inside(block, row);
    const auto& d = w.slope;
    seismic_update_velocity(columns, depth, w.dx, w.dy, w.density + at, d[0] + at, d[1] + at, d[2] + at, d[3] + at,
                            d[4] + at, d[5] + at, d[6] + at, d[7] + at, d[8] + at, w.v[0] + at, w.v[1] + at,
                            w.v[2] + at);
  }
}
template <>
void stress_in_fortran(Block<float>& block, const Row& row) {
  if constexpr (built) {
    const View<float>& w = block.view();
    const auto [at, columns, depth] = inside(block, row);
    const auto& d = w.slope;
    const auto& s = w.s;
    seismic_update_stress(columns, depth, w.dx, w.dy, w.lambda + at, w.compliance + at, d[0] + at, d[1] + at, d[2] + at,
                          d[3] + at, d[4] + at, d[5] + at, d[6] + at, d[7] + at, d[8] + at, s[0] + at, s[1] + at,
                          s[2] + at, s[3] + at, s[4] + at, s[5] + at);
    block.above_stress(row);
  }
}

// Fortran has no form in double precision: never asked for.
template <>
void stress_slopes(Block<double>& block, const Row& row, bool) {
  block.slopes_of_stress(row);
}
template <>
void velocity_slopes(Block<double>& block, const Row& row, bool) {
  block.slopes_of_velocity(row);
}
template <>
void velocity_in_fortran(Block<double>&, const Row&) {}
template <>
void stress_in_fortran(Block<double>&, const Row&) {}

}  // namespace tenken::seismic
