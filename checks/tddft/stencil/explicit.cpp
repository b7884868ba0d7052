#include "stencil/explicit.hpp"

#include "stencil/widths.hpp"

namespace tenken::tddft {

std::string_view layout_name(Layout layout) { return layout == Layout::bands ? "bands" : "points"; }

Form form_of(Layout layout, const dft::Grid& grid, int bytes) {
  if (layout == Layout::points) {
    while (bytes > 16 && grid.points[2] % (bytes / 16) != 0) bytes /= 2;
  }
  return {layout, bytes};
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
  sweep(mode, stencil, diagonal, in, to, scratch);
}

}  // namespace tenken::tddft
