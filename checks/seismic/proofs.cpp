#include "proofs.hpp"

#include <algorithm>
#include <cmath>

#include "analytic.hpp"
#include "layers.hpp"
#include "ref.hpp"

namespace tenken::seismic {

namespace {

double greatest(MPI_Comm comm, double x) {
  double both[2]{std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, comm);
  return both[1] > 0 ? std::nan("") : both[0];
}

// Cells such that every rank has room for layers along x and y, and for columns that a sweep takes.
Index<3> room(const Plan& plan, Index<3> cells) {
  const int least = std::max(24, 4 * halo * plan.depth + 8);
  for (std::size_t d = 0; d < 2; ++d) cells[d] = std::max(cells[d], least * plan.grid[d]);
  return cells;
}

Problem varied(const Subject& subject, const Index<3>& cells) {
  Problem p;
  p.cells = cells;
  p.contrast = 0.2;
  p.quality = subject.quality;
  p.absorb = subject.absorb;
  p.surface = subject.surface;
  p.layer = 6;
  p.pulse.duration = 8 * p.h / p.material.vs;
  p.dt = 0.9 * longest_step(p);
  const Index<3> middle{cells[0] / 2, cells[1] / 2, cells[2] / 3};
  p.sources = moment(p, {1, 2, 3, 0.5, -0.7, 0.4}, middle);
  for (int axis = 0; axis < 3; ++axis) {
    for (const Injection& one : force(p, axis, {middle[0] - 1, middle[1], 2}, 20)) p.sources.push_back(one);
  }
  return p;
}

constexpr int steps = 8;
template <class Real>
void run(Waves<Real>& waves, std::int64_t until) {
  while (waves.step() < until) waves.pass();
}

}  // namespace

double twin_error(const Subject& subject) {
  Problem p = varied(subject, {24, 24, 24});
  const auto damping = [&](std::size_t d, double at) { return damping_at(p, d, at); };
  const auto sponge = [&](std::size_t d, int at) { return sponge_at(p, d, at); };
  Plain<std::vector<double>> plain(p, damping, sponge);
  Plan plan = subject.plan;
  plan.grid = {1, 1};
  plan.stale_halo = false;
  Problem planted = p;
  planted.everywhere = subject.everywhere;
  Waves<float> waves(MPI_COMM_SELF, planted, plan, subject.faults);
  run(waves, steps);
  for (int n = 0; n < steps; ++n) plain.step(n);
  double worst = 0;
  for (int c = 0; c < components; ++c) {
    double most = 0, off = 0;
    for (std::int64_t n = 0; n < product(p.cells); ++n) {
      const Index<3> at = coordinates<3>(n, p.cells);
      const double expected = plain.field(c)[plain.number(at)];
      const double found =
          waves.block().field(static_cast<Component>(c))[waves.block().layout().at(at[0], at[1]) + at[2]];
      most = std::max(most, std::abs(expected));
      off = std::isnan(found) ? found : std::max(off, std::abs(found - expected));
      if (std::isnan(off)) return greatest(subject.comm, off);
    }
    worst = std::max(worst, off / most);
  }
  return greatest(subject.comm, worst);
}

double variant_error(const Subject& subject) {
  Problem p = varied(subject, room(subject.plan, {64, 64, 64}));
  Plan plan = subject.plan;
  plan.variant = Variant::fused;
  plan.depth = 1;
  plan.threads = 1;
  plan.stale_halo = false;
  Waves<float> expected(subject.comm, p, plan);
  run(expected, steps);
  p.everywhere = subject.everywhere;
  Waves<float> found(subject.comm, p, subject.plan, subject.faults);
  run(found, steps);
  const Layout& l = found.block().layout();
  double worst = 0;
  for (int c = 0; c < components; ++c) {
    double most = 0, off = 0;
    const float* const a = expected.block().field(static_cast<Component>(c));
    const float* const b = found.block().field(static_cast<Component>(c));
    for (int j = 0; j < l.ny; ++j) {
      for (std::int64_t at = l.at(0, j); at < l.at(l.nx, j) - unit; ++at) {
        most = std::max<double>(most, std::abs(a[at]));
        const double d = std::abs(static_cast<double>(a[at]) - b[at]);
        off = d > off || std::isnan(d) ? d : off;
      }
    }
    most = greatest(subject.comm, most);
    off = greatest(subject.comm, off);
    worst = off / most > worst || std::isnan(off) ? off / most : worst;
  }
  return worst;
}

FullSpace full_space(const Subject& subject, double points, double wavelengths, SourceKind kind, int margin) {
  FullSpace space;
  Problem& p = space.problem;
  const std::array<Point, 3> directions{{{1, 0, 0}, {0.48, 0.6, 0.64}, {0.6, 0, 0.8}}};
  const double cells_away = wavelengths * points;
  Index<3> source{margin, margin, margin};
  for (std::size_t d = 0; d < 3; ++d) {
    double furthest = 0;
    for (const Point& direction : directions) furthest = std::max(furthest, direction[d]);
    p.cells[d] = 2 * margin + static_cast<int>(std::lround(furthest * cells_away));
  }
  p.cells = room(subject.plan, p.cells);
  p.surface = false;
  p.layer = 10;
  p.absorb = Absorb::pml;
  p.everywhere = subject.everywhere;
  // Shortest wavelength: vs over the highest frequency, 2 / duration.
  p.pulse.duration = 2 * points * p.h / p.material.vs;
  p.dt = 0.9 * longest_step(p);
  const double wavelength = points * p.h;
  const double strength = kind == SourceKind::explosion ? 0 : 1;
  constexpr int axis = 2;
  if (kind != SourceKind::explosion) p.sources = force(p, axis, source, strength);
  const double m0 = kind == SourceKind::force ? 0 : wavelength / 4;  // both of them are then of one size
  if (m0 > 0) {
    for (const Injection& one : moment(p, {m0, m0, m0, 0, 0, 0}, source)) p.sources.push_back(one);
  }
  for (const Point& direction : directions) {
    Index<3> cell = source;
    for (std::size_t d = 0; d < 3; ++d) cell[d] += static_cast<int>(std::lround(direction[d] * cells_away));
    for (const Component c : {vx, vy, vz}) p.receivers.push_back({c, cell});
  }
  Waves<float> waves(subject.comm, p, subject.plan, subject.faults);
  const double end = (cells_away + 2) * p.h / p.material.vs + p.pulse.duration;
  const auto last = static_cast<std::int64_t>(std::ceil(end / p.dt));
  waves.block().record(last);
  run(waves, last);

  // Each receiver is on one rank; the others add nothing.
  const std::size_t n = static_cast<std::size_t>(last), count = p.receivers.size();
  std::vector<double> all(n * count, 0.0);
  for (const auto& trace : waves.block().traces()) {
    std::copy(trace.values.begin(), trace.values.end(), all.begin() + static_cast<std::ptrdiff_t>(trace.receiver * n));
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, subject.comm);
  double off = 0, norm = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const Receiver& receiver = p.receivers[r];
    const int component = receiver.component - vx;
    // From the centre of the source's cell, where the explosion is; the force is half a cell further along its axis.
    Point at{};
    for (std::size_t d = 0; d < 3; ++d)
      at[d] = p.h * (receiver.cell[d] - source[d] + (static_cast<int>(d) == component ? 0.5 : 0));
    Point from_force = at;
    from_force[axis] -= p.h / 2;
    Trace trace{static_cast<int>(r) / 3, component, {}, {}};
    for (std::size_t step = 0; step < n; ++step) {
      const double t = (static_cast<double>(step) + 0.5) * p.dt;
      const double exact =
          (m0 > 0 ? explosion(p.material, p.pulse, m0, at, component, t) : 0) +
          (strength > 0 ? point_force(p.material, p.pulse, strength, axis, from_force, component, t) : 0);
      const double computed = all[r * n + step];
      off += (computed - exact) * (computed - exact);
      norm += exact * exact;
      trace.computed.push_back(computed);
      trace.exact.push_back(exact);
    }
    space.traces.push_back(std::move(trace));
    if (component != 2) continue;
    const double error = std::sqrt(off / norm);
    space.error = error > space.error || std::isnan(error) ? error : space.error;
    off = norm = 0;
  }
  return space;
}

}  // namespace tenken::seismic
