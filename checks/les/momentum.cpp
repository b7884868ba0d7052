#include "momentum.hpp"

#include <algorithm>

namespace les {

using tenken::corners;
using tenken::Range;

namespace {

// Nodes of all elements of a node, ascending.
std::vector<std::int32_t> row_of(const Mesh& mesh, const std::vector<std::int32_t>& touching, std::int64_t node) {
  std::vector<std::int32_t> row;
  for (int a = 0; a < corners; ++a) {
    const std::int32_t e = touching[static_cast<std::size_t>(node * corners + a)];
    for (int b = 0; e >= 0 && b < corners; ++b) row.push_back(mesh.at(e, b));
  }
  std::sort(row.begin(), row.end());
  row.erase(std::unique(row.begin(), row.end()), row.end());
  return row;
}

}  // namespace

template <class Real>
Momentum<Real>::Momentum(const Mesh& mesh, const Elements<Real>& elements, const std::vector<std::uint8_t>& fixed)
    : elements_(elements),
      fixed_(fixed),
      touching_(elements_of_nodes(mesh)),
      place_(tenken::make_array<std::uint8_t>(elements.slots() * corners * corners, "places in matrix rows")) {
  const auto pattern = tenken::make_csr<Real>(
      mesh.nodes(), padded_nodes<Real>(mesh),
      [&](std::int64_t n) { return static_cast<std::int64_t>(row_of(mesh, touching_, n).size()); },
      [&](std::int64_t n, std::int32_t* column, Real* value) {
        const std::vector<std::int32_t> row = row_of(mesh, touching_, n);
        std::copy(row.begin(), row.end(), column);
        std::fill_n(value, row.size(), Real{0});
      });
  a_ = tenken::make_sell(pattern);
  tenken::share(mesh.nodes(), [&](Range mine) {
    for (std::int64_t n = mine.first; n < mine.last; ++n) {
      const std::int32_t* const first = pattern.column.data() + pattern.row(n).first;
      const std::int32_t* const last = pattern.column.data() + pattern.row(n).last;
      for (int a = 0; a < corners; ++a) {
        std::int32_t& e = touching_[static_cast<std::size_t>(n * corners + a)];
        if (e < 0) continue;
        const std::int32_t slot = elements.slot[static_cast<std::size_t>(e)];
        for (int b = 0; b < corners; ++b) {
          place_.data()[(std::int64_t{slot} * corners + a) * corners + b] =
              static_cast<std::uint8_t>(std::lower_bound(first, last, mesh.at(e, b)) - first);
        }
        e = slot;
      }
    }
  });
}

template <class Real>
void Momentum<Real>::assemble(const Real* viscosity, const Real* flux, const Real* mass, double dt, Real* diagonal) {
  constexpr int lanes = Elements<Real>::lanes;
  const int c = a_.c;
  const Real each_step = static_cast<Real>(1 / dt);
  tenken::share(a_.chunks, [&](Range mine) {
    for (std::int64_t chunk = mine.first; chunk < mine.last; ++chunk) {
      const std::int64_t begin = a_.begin.data()[chunk], end = a_.begin.data()[chunk + 1];
      Real* const values = a_.value.data();
      std::fill(values + begin, values + end, Real{0});
      for (std::int64_t n = chunk * c; n < std::min(a_.rows, (chunk + 1) * c); ++n) {
        diagonal[n] = 0;
        if (fixed_[static_cast<std::size_t>(n)] != 0) continue;
        Real* const row = values + begin + n % c;
        std::int64_t self = 0;
        for (int a = 0; a < corners; ++a) {
          const std::int32_t slot = touching_[static_cast<std::size_t>(n * corners + a)];
          if (slot < 0) continue;
          const std::int64_t block = slot / lanes, lane = slot % lanes;
          const Real half_viscosity = viscosity[slot] / 2;
          const Real* const stiffness = elements_.stiffness.data() + block * pairs * lanes + lane;
          const Real* const of = flux + block * corners * lanes + lane;
          const std::uint8_t* const place = place_.data() + (std::int64_t{slot} * corners + a) * corners;
          for (int b = 0; b < corners; ++b) {
            row[std::int64_t{place[b]} * c] +=
                half_viscosity * stiffness[pair_of(a, b) * lanes] + (of[b * lanes] - of[a * lanes]) / 32;
          }
          self = std::int64_t{place[a]} * c;
        }
        row[self] += mass[n] * each_step;
        diagonal[n] = row[self];
      }
    }
  });
}

template class Momentum<float>;
template class Momentum<double>;

}  // namespace les
