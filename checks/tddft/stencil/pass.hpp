// One pass of the stencil over a block of orbitals: what it reads, and what it does with H e.
//
// A block is [point][band][re, im]: all bands of the block at a point lie together. After each plane of x it may have a
// gap, which nothing reads: neighbours in x lie a plane apart, and where planes are a multiple of what a way of the
// first-level cache holds, all of them compete for the same few lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "numerics/dft/stencil.hpp"

namespace tenken::tddft {

// H includes everything local; the non-local part is added by itself. exp(-i H dt) u to the 4th order is, from the
// inside out, u + (-i dt) H (u + (-i dt/2) H (u + (-i dt/3) H (u + (-i dt/4) H u))): every pass reads its input and u
// and writes one buffer, the last u itself.
enum class Store {
  apply,   // out = H e, whatever the scale
  taylor,  // out = orbital + scale (-i) H e; out may be the orbital
};

struct Targets {
  double* out = nullptr;
  const double* orbital = nullptr;
  double scale = 1;
  int planes_at_once = 1;  // of x, swept together through all y, so that neighbours in x and y stay in cache
  int prefetch_bytes = 0;  // software prefetch so far behind each load of a neighbour in x and y; 0 = none
};

enum class Layout {
  points,  // one orbital at a time, vectors along z
  bands,   // a vector is the same point of several bands
};

// The vectorised stencil: which of its forms is used for a grid.
struct Form {
  Layout layout = Layout::points;
  int bytes = 16;  // of a vector
  int gap = 0;     // points

  int bands() const { return layout == Layout::bands ? bytes / 16 : 1; }  // of a block
  std::int64_t plane(const dft::Grid& grid) const {
    return std::int64_t{grid.points[1]} * grid.points[2] + gap;
  }  // points
  // Doubles of a block, and of those before a point's first band.
  std::int64_t doubles(const dft::Grid& grid) const { return grid.points[0] * plane(grid) * 2 * bands(); }
  std::int64_t place(const dft::Grid& grid, std::int64_t point) const {
    return (point + point / (plane(grid) - gap) * gap) * 2 * bands();
  }
};

// In vectors of `bytes` or, along z, of the next less that divide a row.
Form form_of(Layout layout, const dft::Grid& grid, int bytes);
// Points of the least gap, whole rows, with which rows that are neighbours in x share the fewest lines of a cache whose
// ways hold `way_bytes`.
int gap_for(const dft::Grid& grid, const Form& form, std::int64_t way_bytes);
std::string_view layout_name(Layout layout);

// Doubles of scratch that a pass needs.
std::size_t scratch_doubles(const dft::Grid& grid, const Form& form);

// The diagonal of H without projectors, potential + stencil.diagonal, at each point.
void diagonal_of(const dft::Stencil& stencil, const double* potential, double* diagonal);

// `in`, `to`: blocks of form.bands() orbitals.
void stencil_explicit(const Form& form, Store mode, const dft::Stencil& stencil, const double* diagonal,
                      const double* in, const Targets& to, double* scratch);
// The same loop for the compiler to vectorise, of one orbital, Store::apply alone.
void stencil_compiler(const dft::Stencil& stencil, const double* potential, const double* in, double* out);

// What the stencil counts for, by the convention of ARTED: 12 pairs of 8, 22 complex additions, 18 for the rest.
inline constexpr std::int64_t counted_flop = 158;

}  // namespace tenken::tddft
