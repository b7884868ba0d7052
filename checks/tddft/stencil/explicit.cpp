#include "stencil/explicit.hpp"

#include <algorithm>
#include <vector>

#include "stencil/widths.hpp"

namespace tenken::tddft {

namespace {

// Of the rows at one y and z of a point and its neighbours in x: how many want the same line of the cache, at most.
int rows_of_a_line(std::int64_t plane_bytes, std::int64_t row_bytes, std::int64_t way_bytes) {
  constexpr std::int64_t line_bytes = line_doubles * sizeof(double);
  std::vector<int> rows(static_cast<std::size_t>(way_bytes / line_bytes));
  for (std::int64_t plane = 0; plane <= 2 * reach; ++plane) {
    for (std::int64_t at = 0; at < row_bytes; at += line_bytes) {
      ++rows[static_cast<std::size_t>((plane * plane_bytes + at) % way_bytes / line_bytes)];
    }
  }
  return *std::max_element(rows.begin(), rows.end());
}

}  // namespace

std::string_view layout_name(Layout layout) { return layout == Layout::bands ? "bands" : "points"; }

Form form_of(Layout layout, const dft::Grid& grid, int bytes) {
  if (layout == Layout::points) {
    while (bytes > 16 && grid.points[2] % (bytes / 16) != 0) bytes /= 2;
  }
  return {layout, bytes};
}

int gap_for(const dft::Grid& grid, const Form& form, std::int64_t way_bytes) {
  constexpr int most_rows = 3;
  const std::int64_t row_bytes = std::int64_t{16} * grid.points[2] * form.bands();
  int best = 0, least = 0;
  for (int rows = 0; rows <= most_rows; ++rows) {
    const int now = rows_of_a_line((grid.points[1] + rows) * row_bytes, row_bytes, way_bytes);
    if (rows > 0 && now >= least) continue;
    best = rows;
    least = now;
  }
  return best * grid.points[2];
}

std::size_t scratch_doubles(const dft::Grid& grid, const Form& form) {
  return 2 * static_cast<std::size_t>(line_length(grid.points[2], 2 * form.bands())) + line_doubles;
}

void diagonal_of(const dft::Stencil& stencil, const double* potential, double* diagonal) {
  for (std::int64_t p = 0; p < stencil.grid.size(); ++p) diagonal[p] = potential[p] + stencil.diagonal;
}

void stencil_explicit(const Form& form, Store mode, const dft::Stencil& stencil, const double* diagonal,
                      const double* in, const Targets& to, double* scratch) {
  const bool bands = form.layout == Layout::bands;
  Sweep* const sweep = form.bytes == 64   ? (bands ? sweep_bands_8 : sweep_points_8)
                       : form.bytes == 32 ? (bands ? sweep_bands_4 : sweep_points_4)
                                          : sweep_2;
  sweep(mode, stencil, form.gap, diagonal, in, to, scratch);
}

}  // namespace tenken::tddft
