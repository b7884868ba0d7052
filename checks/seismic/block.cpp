#include "block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "layers.hpp"

namespace tenken::seismic {

namespace {

template <class Use>
void with_flags(bool x, bool y, bool z, const Use& use) {
  const auto third = [&](auto fx, auto fy) { z ? use(fx, fy, std::true_type{}) : use(fx, fy, std::false_type{}); };
  const auto second = [&](auto fx) { y ? third(fx, std::true_type{}) : third(fx, std::false_type{}); };
  x ? second(std::true_type{}) : second(std::false_type{});
}

template <class Real>
Buffer<Real> touched(std::size_t n, int threads, std::string_view purpose) {
  Buffer<Real> all(n, Pages::huge, purpose);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i) all[i] = Real{};
  return all;
}

template <class Real>
Damping<Real> damping(const Problem& p, std::size_t d, double position) {
  const auto [share, a, b] = damping_at(p, d, position);
  return {static_cast<Real>(share), static_cast<Real>(a), static_cast<Real>(b)};
}

int first_z(const Problem& p, int nz) {
  const auto layers = layers_at(p, 2);
  const int first = padded(layers[0]), last = (nz - layers[1]) / unit * unit;
  return layers[1] > 0 && last <= first ? padded(nz) : first;  // two layers with nothing between are one
}
int last_z(const Problem& p, int nz) {
  const auto layers = layers_at(p, 2);
  return layers[1] == 0 ? padded(nz) : std::max(first_z(p, nz), (nz - layers[1]) / unit * unit);
}

}  // namespace

template <class Real>
double Block<Real>::bytes(const Problem& p, const Index<3>& extents, bool stored) {
  const Layout layout{extents[0], extents[1], extents[2]};
  const double arrays = int{components} + 3 + (stored ? 9 : 0) + (p.quality.elastic() ? 0 : mechanisms * stresses);
  double values = arrays * static_cast<double>(layout.size());
  if (p.absorb == Absorb::pml) {
    values += 12.0 * p.layer * (static_cast<double>(extents[0]) + extents[1]) * layout.depth();
    values += 6.0 * extents[0] * extents[1] * (first_z(p, extents[2]) + layout.depth() - last_z(p, extents[2]));
  }
  return values * sizeof(Real);
}

template <class Real>
Block<Real>::Block(const Problem& problem, const Index<3>& offset, const Index<3>& extents, bool stored, int threads,
                   const Faults& faults)
    : problem_(problem), offset_(offset), layout_{extents[0], extents[1], extents[2]} {
  const auto size = static_cast<std::size_t>(layout_.size());
  fields_ = touched<Real>(components * size + Layout::tail, threads, "velocity and stress");
  material_ = touched<Real>(3 * size + Layout::tail, threads, "the material");
  if (stored) slopes_ = touched<Real>(9 * size + Layout::tail, threads, "derivatives");
  const bool viscous = !problem_.quality.elastic();
  if (viscous) memory_ = touched<Real>(mechanisms * stresses * size + Layout::tail, threads, "memory of the medium");
  for (int c = 0; c < velocities; ++c) view_.v[static_cast<std::size_t>(c)] = field(static_cast<Component>(c));
  for (int c = 0; c < stresses; ++c) view_.s[static_cast<std::size_t>(c)] = field(static_cast<Component>(sxx + c));
  view_.density = material_.data();
  view_.lambda = material_.data() + size;
  view_.compliance = material_.data() + 2 * size;
  for (std::size_t n = 0; stored && n < view_.slope.size(); ++n) view_.slope[n] = slopes_.data() + n * size;
  view_.memory = memory_.data();
  view_.dx = layout_.stride();
  view_.dy = layout_.row();
  if (faults.wrong_coefficient) view_.far = -view_.far;
  swapped_ = faults.swapped_shear;
  if (viscous) {
    const Relaxation r = relaxation_of(problem_.quality, problem_.middle());
    for (std::size_t m = 0; m < r.tau.size(); ++m) {
      const double half = problem_.dt / (2 * r.tau[m]);
      view_.c1[m] = static_cast<Real>((1 - half) / (1 + half));
      view_.c2[m] = static_cast<Real>(r.weight[m] * 2 * half / (1 + half));
    }
    view_.phi_p = static_cast<Real>(r.phi_p);
    view_.phi_s = static_cast<Real>(r.phi_s);
  }
  fill_material(threads);
  make_layers();
  place_points();
}

template <class Real>
void Block<Real>::fill_material(int threads) {
  const Problem& p = problem_;
  const Relaxation r = p.quality.elastic() ? Relaxation{} : relaxation_of(p.quality, p.middle());
  const auto size = layout_.size();
  Real* const density = material_.data();
  Real* const lambda = density + size;
  Real* const compliance = lambda + size;
  constexpr Real never = std::numeric_limits<Real>::infinity();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t n = 0; n < size + Layout::tail; ++n) {
    density[n] = never;  // where fields end, the next one begins: its values come later
    if (n < size) compliance[n] = never;
  }
  std::fill(compliance, compliance + size + Layout::tail, never);
  std::fill(lambda, lambda + size, Real{});
  const int beyond = p.periodic && !p.surface ? halo : 0;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int j = -halo; j < layout_.ny + halo; ++j) {
    for (int i = -halo; i < layout_.nx + halo; ++i) {
      for (int k = -beyond; k < layout_.nz + beyond; ++k) {
        const Material m = p.at({offset_[0] + i, offset_[1] + j, k});
        const double mu = m.density * m.vs * m.vs * r.stiffer_s;
        const std::int64_t at = layout_.at(i, j) + k;
        density[at] = static_cast<Real>(p.h * m.density / (2 * p.dt));
        lambda[at] = static_cast<Real>(p.dt / p.h * (m.density * m.vp * m.vp * r.stiffer_p - 2 * mu));
        compliance[at] = static_cast<Real>(p.h / (4 * p.dt * mu));
      }
    }
  }
}

template <class Real>
void Block<Real>::make_layers() {
  const Problem& p = problem_;
  const std::array<int, 3> extents{layout_.nx, layout_.ny, layout_.nz};
  std::size_t values = 0;
  first_z_ = p.absorb == Absorb::none || p.periodic ? 0 : first_z(p, layout_.nz);
  last_z_ = p.absorb == Absorb::none || p.periodic ? layout_.depth() : last_z(p, layout_.nz);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto layers = layers_at(p, d);
    const int n = p.cells[d], own = extents[d];
    if (d < 2) {
      lower_[d] = std::clamp(layers[0] - offset_[d], 0, own);
      upper_[d] = std::clamp(offset_[d] + own - (n - layers[1]), 0, own - lower_[d]);
      if (p.everywhere) lower_[d] = own - upper_[d];
      for (int at = 0; at < own; ++at) {
        at_cell_[d].push_back(damping<Real>(p, d, offset_[d] + at));
        at_half_[d].push_back(damping<Real>(p, d, offset_[d] + at + 0.5));
        sponge_[d].push_back(static_cast<Real>(sponge_at(p, d, offset_[d] + at)));
      }
    } else {
      for (auto& one : along_z_) one.assign(static_cast<std::size_t>(layout_.depth()), Real{});
      sponge_[d].assign(static_cast<std::size_t>(layout_.depth()), Real(1));
      for (int k = 0; k < layout_.depth(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (k >= own) break;
        const Damping<Real> both[2]{damping<Real>(p, d, k), damping<Real>(p, d, k + 0.5)};
        for (std::size_t s = 0; s < 2; ++s) {
          along_z_[3 * s][at] = both[s].share;
          along_z_[3 * s + 1][at] = both[s].a;
          along_z_[3 * s + 2][at] = both[s].b;
        }
        sponge_[d][at] = static_cast<Real>(sponge_at(p, d, k));
      }
    }
  }
  if (p.absorb != Absorb::pml) return;
  const auto area = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
  const auto depth = static_cast<std::size_t>(layout_.depth());
  psi_size_ = {area(lower_[0] + upper_[0], layout_.ny) * depth, area(lower_[1] + upper_[1], layout_.nx) * depth,
               area(layout_.nx, layout_.ny) * static_cast<std::size_t>(first_z_ + layout_.depth() - last_z_)};
  for (const std::size_t one : psi_size_) values += 6 * one;
  psi_ = Buffer<Real>(std::max<std::size_t>(values, 1), Pages::huge, "absorbing layers");
}

template <class Real>
int Block<Real>::slab(int n, int direction) const {
  const auto d = static_cast<std::size_t>(direction);
  if (n < lower_[d]) return n;
  return n - ((d == 0 ? layout_.nx : layout_.ny) - upper_[d]) + lower_[d];
}

template <class Real>
void Block<Real>::place_points() {
  const auto local = [&](const Index<3>& cell, int& i, int& j) {
    i = cell[0] - offset_[0];
    j = cell[1] - offset_[1];
    return i >= 0 && i < layout_.nx && j >= 0 && j < layout_.ny;
  };
  int i = 0, j = 0;
  for (const Injection& s : problem_.sources) {
    if (!local(s.cell, i, j)) continue;
    const std::int64_t at = s.component * layout_.size() + layout_.at(i, j) + s.cell[2];
    sources_.push_back({at, i, j, static_cast<Real>(s.amplitude), s.component < sxx});
  }
  for (std::size_t n = 0; n < problem_.receivers.size(); ++n) {
    const Receiver& r = problem_.receivers[n];
    if (!local(r.cell, i, j)) continue;
    traces_.push_back({n, r.component * layout_.size() + layout_.at(i, j) + r.cell[2], {}, i, j});
  }
}

template <class Real>
void Block<Real>::record(std::int64_t steps) {
  for (Trace& trace : traces_) trace.values.resize(static_cast<std::size_t>(steps));
}

template <class Real>
template <class Use>
void Block<Real>::over_pieces(const Row& row, Part part, const Use& use) const {
  const bool y = in_layer_y(row.j);
  const std::array<int, 4> cut{0, first_inside_x(), last_inside_x(), layout_.nx};
  for (std::size_t c = 0; c < 3; ++c) {
    const int i0 = std::max(row.i0, cut[c]), i1 = std::min(row.i1, cut[c + 1]);
    if (i0 >= i1) continue;
    const bool x = c != 1;
    const bool edge = x || y;
    if (part != Part::kernel && first_z_ > 0) use(Piece{i0, i1, 0, first_z_, x, y, true});
    if (part != (edge ? Part::kernel : Part::absorb) && first_z_ < last_z_) {
      use(Piece{i0, i1, first_z_, last_z_, x, y, false});
    }
    if (part != Part::kernel && last_z_ < layout_.depth()) use(Piece{i0, i1, last_z_, layout_.depth(), x, y, true});
  }
}

template <class Real>
Layers<Real> Block<Real>::layers_of(const Piece& piece, int j, bool for_stress) {
  Layers<Real> l;
  const std::ptrdiff_t depth = layout_.depth();
  const std::ptrdiff_t slab_z = first_z_ + depth - last_z_;
  const std::array<Real**, 3> of{&l.x, &l.y, &l.z};
  Real* base = psi_.data();
  const std::array<std::ptrdiff_t, 3> first{
      piece.x ? (static_cast<std::ptrdiff_t>(j) * (lower_[0] + upper_[0]) + slab(piece.i0, 0)) * depth : 0,
      piece.y ? (static_cast<std::ptrdiff_t>(slab(j, 1)) * layout_.nx + piece.i0) * depth : 0,
      (static_cast<std::ptrdiff_t>(j) * layout_.nx + piece.i0) * slab_z + (piece.k0 == 0 ? 0 : first_z_ - last_z_)};
  for (std::size_t d = 0; d < 3; ++d) {
    *of[d] = base + (for_stress ? 3 * psi_size_[d] : 0) + 3 * first[d];
    base += 6 * psi_size_[d];
  }
  l.x_step = l.y_step = depth;
  l.z_step = slab_z;
  const auto row = static_cast<std::size_t>(j);
  l.at_cell_x = at_cell_[0].data();
  l.at_half_x = at_half_[0].data();
  l.at_cell_y = at_cell_[1][row];
  l.at_half_y = at_half_[1][row];
  l.at_cell_z = {along_z_[0].data(), along_z_[1].data(), along_z_[2].data()};
  l.at_half_z = {along_z_[3].data(), along_z_[4].data(), along_z_[5].data()};
  return l;
}

template <class Real>
void Block<Real>::taper_piece(const Piece& piece, int j, Component first, int fields) {
  if (!piece.x && !piece.y && !piece.z) return;
  const std::int64_t row = layout_.at(0, j);
  for (int c = 0; c < fields; ++c) {
    taper(field(static_cast<Component>(first + c)) + row, view_.dx, piece.i0, piece.i1, sponge_[0].data(),
          sponge_[1][static_cast<std::size_t>(j)], sponge_[2].data(), piece.k0, piece.k1);
  }
}

template <class Real>
void Block<Real>::add_sources(double t, const Row& row, bool of_velocity) {
  for (const Source& s : sources_) {
    if (s.of_velocity != of_velocity || s.j != row.j || s.i < row.i0 || s.i >= row.i1) continue;
    fields_[static_cast<std::size_t>(s.at)] += s.amplitude * static_cast<Real>(problem_.pulse(t));
  }
}

template <class Real>
template <class From>
void Block<Real>::velocity(std::int64_t step, const Row& row, Part part) {
  over_pieces(row, part, [&](const Piece& p) {
    const bool pml = problem_.absorb == Absorb::pml;
    const Layers<Real> layers = pml ? layers_of(p, row.j, false) : Layers<Real>{};
    with_flags(pml && p.x, pml && p.y, pml && p.z, [&](auto x, auto y, auto z) {
      update_velocity<From, x.value, y.value, z.value>(view_, layers, layout_.at(0, row.j), p.i0, p.i1, p.k0, p.k1);
    });
    if (problem_.absorb == Absorb::sponge) taper_piece(p, row.j, vx, velocities);
  });
  if (part != Part::kernel) end_velocity(step, row);
}

template <class Real>
void Block<Real>::end_velocity(std::int64_t step, const Row& row) {
  add_sources(static_cast<double>(step) * problem_.dt, row, true);
  for (Trace& trace : traces_) {
    if (trace.j != row.j || trace.i < row.i0 || trace.i >= row.i1) continue;
    if (static_cast<std::size_t>(step) >= trace.values.size()) continue;
    trace.values[static_cast<std::size_t>(step)] = fields_[static_cast<std::size_t>(trace.at)];
  }
  if (!problem_.periodic || problem_.surface) return;
  for (int c = 0; c < velocities; ++c) {
    wrap(field(static_cast<Component>(c)) + layout_.at(0, row.j), view_.dx, row.i0, row.i1, layout_.nz);
  }
}

template <class Real>
void Block<Real>::above_velocity(const Row& row) {
  if (problem_.surface) velocity_above(view_, layout_.at(0, row.j), row.i0, row.i1);
}

template <class Real>
template <class From>
void Block<Real>::stress(std::int64_t step, const Row& row, Part part) {
  View<Real> view = view_;
  if (swapped_) std::swap(view.s[4], view.s[5]);
  const bool viscous = !problem_.quality.elastic();
  over_pieces(row, part, [&](const Piece& p) {
    const bool surface = problem_.surface && p.k0 == 0;
    if (surface && From::prefetches) velocity_above(view_, layout_.at(0, row.j), p.i0, p.i1);
    const bool pml = problem_.absorb == Absorb::pml;
    const Layers<Real> layers = pml ? layers_of(p, row.j, true) : Layers<Real>{};
    with_flags(pml && p.x, pml && p.y, pml && p.z, [&](auto x, auto y, auto z) {
      const std::int64_t at = layout_.at(0, row.j);
      if (viscous) {
        update_stress<From, true, x.value, y.value, z.value>(view, layers, at, p.i0, p.i1, p.k0, p.k1);
      } else {
        update_stress<From, false, x.value, y.value, z.value>(view, layers, at, p.i0, p.i1, p.k0, p.k1);
      }
    });
    if (problem_.absorb == Absorb::sponge) taper_piece(p, row.j, sxx, stresses);
    if (surface) stress_above(view_, layout_.at(0, row.j), p.i0, p.i1);
  });
  if (part != Part::kernel) end_stress(step, row);
}

template <class Real>
void Block<Real>::above_stress(const Row& row) {
  if (problem_.surface) stress_above(view_, layout_.at(0, row.j), row.i0, row.i1);
}

template <class Real>
void Block<Real>::end_stress(std::int64_t step, const Row& row) {
  add_sources((static_cast<double>(step) + 0.5) * problem_.dt, row, false);
  if (!problem_.periodic || problem_.surface) return;
  for (int c = 0; c < stresses; ++c) {
    wrap(field(static_cast<Component>(sxx + c)) + layout_.at(0, row.j), view_.dx, row.i0, row.i1, layout_.nz);
  }
}

template <class Real>
template <SlopesOf of>
void Block<Real>::slopes(const Row& row) {
  const auto use = past_caches_ ? store_slopes<of, true, Real> : store_slopes<of, false, Real>;
  use(view_, layout_.at(0, row.j), row.i0, row.i1, 0, layout_.depth());
}
template <class Real>
void Block<Real>::slopes_of_stress(const Row& row) {
  slopes<SlopesOf::stress>(row);
}
template <class Real>
void Block<Real>::slopes_of_velocity(const Row& row) {
  above_velocity(row);
  slopes<SlopesOf::velocity>(row);
}

template <class Real>
Counts Block<Real>::counts(const std::vector<Row>& rows, Part part) const {
  Counts counts;
  for (const Row& row : rows) {
    over_pieces(row, part, [&](const Piece& p) {
      const std::int64_t points = static_cast<std::int64_t>(p.i1 - p.i0) * (std::min(p.k1, layout_.nz) - p.k0);
      counts.points += points;
      if (problem_.absorb == Absorb::pml) counts.damped += points * ((p.x ? 1 : 0) + (p.y ? 1 : 0) + (p.z ? 1 : 0));
      if (problem_.absorb == Absorb::sponge && (p.x || p.y || p.z)) counts.tapered += points;
    });
  }
  return counts;
}

template <class Real>
std::vector<std::pair<Real*, std::size_t>> Block<Real>::state() {
  std::vector<std::pair<Real*, std::size_t>> all{{fields_.data(), fields_.size()}};
  if (memory_.size() > 0) all.emplace_back(memory_.data(), memory_.size());
  if (psi_.size() > 0) all.emplace_back(psi_.data(), psi_.size());
  return all;
}

template class Block<float>;
template class Block<double>;
template void Block<float>::velocity<Made>(std::int64_t, const Row&, Part);
template void Block<float>::velocity<Stored>(std::int64_t, const Row&, Part);
template void Block<float>::stress<Made>(std::int64_t, const Row&, Part);
template void Block<float>::stress<Stored>(std::int64_t, const Row&, Part);
template void Block<double>::velocity<Made>(std::int64_t, const Row&, Part);
template void Block<double>::velocity<Stored>(std::int64_t, const Row&, Part);
template void Block<double>::stress<Made>(std::int64_t, const Row&, Part);
template void Block<double>::stress<Stored>(std::int64_t, const Row&, Part);

}  // namespace tenken::seismic
