#include "electrons.hpp"

#include <algorithm>

#include "base/checkpoint.hpp"
#include "input.hpp"
#include "measure/clock.hpp"
#include "numerics/dft/xc.hpp"
#include "observables.hpp"
#include "stencil/fortran.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

namespace {

constexpr int taylor_order = 4;

}  // namespace

// What one thread works with: two buffers of a block between passes, the local diagonal of H in both halves of a step,
// scratch of the stencil, its own sums.
struct Electrons::Team {
  Team(std::int64_t block_doubles, std::size_t scratch_doubles, std::int64_t points)
      : between{Buffer<double>(static_cast<std::size_t>(block_doubles), Pages::huge, "a Taylor expansion"),
                Buffer<double>(static_cast<std::size_t>(block_doubles), Pages::huge, "a Taylor expansion")},
        diagonal{Buffer<double>(static_cast<std::size_t>(points), Pages::huge, "the diagonal of H"),
                 Buffer<double>(static_cast<std::size_t>(points), Pages::huge, "the diagonal of H")},
        scratch(scratch_doubles),
        density(static_cast<std::size_t>(points)) {}

  // Time since the last call goes to `part`.
  void spent(Part part) {
    const std::int64_t now = ticks_now();
    ticks[part] += now - since;
    since = now;
  }

  Buffer<double> between[2], diagonal[2];
  std::vector<double> scratch, density;
  dft::Vector current{};
  Phases phases[2];
  Ticks ticks{};
  std::int64_t since = 0;
};

void apply_single(Kernel kernel, const dft::Stencil& stencil, const double* potential, const double* in, double* out) {
  if constexpr (this_check::built::fortran) {
    if (kernel == Kernel::fortran) return stencil_fortran(stencil, potential, in, out);
  }
  stencil_compiler(stencil, potential, in, out);
}

Electrons::Electrons(const dft::System& system, const dft::Share& share, const Settings& settings, int threads)
    : system_(system),
      settings_(settings),
      share_(share),
      threads_(threads),
      projectors_(system, settings.form),
      symmetriser_(system.grid, system.reduction),
      hartree_(system.grid),
      team_(static_cast<std::size_t>(threads)) {
  make_blocks();
}

Electrons::Electrons(const dft::System& system, const dft::GroundState& start, const Settings& settings, int threads)
    : Electrons(system, {start.k_range, start.mine}, settings, threads) {
  begin(start);
}

void Electrons::make_blocks() {
  const int together = settings_.form.bands();
  blocks_ = (share_.bands.size() + together - 1) / together;
  block_doubles_ = settings_.form.doubles(system_.grid);
  orbitals_ = Buffer<double>(static_cast<std::size_t>(tasks() * block_doubles_), Pages::huge, "orbitals");
}

void Electrons::begin(const dft::GroundState& start) {
  potential_.fill(start.potential);
  extrapolated_ = start.potential;
  density_ = start.density;
  set_orbitals(start.orbitals.data(), start.bands, share_.bands.first);
}

void Electrons::set_orbitals(const dft::Complex* orbitals, std::int64_t stored, std::int64_t first) {
  const std::int64_t points = system_.grid.size(), count = tasks();
  const int together = settings_.form.bands();
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::int64_t task = 0; task < count; ++task) {
    double* const block = orbitals_.data() + task * block_doubles_;
    for (int b = 0; b < together; ++b) {
      const std::int64_t band = task % blocks_ * together + b;
      if (band >= share_.bands.size()) continue;
      const dft::Complex* const from = orbitals + (task / blocks_ * stored + first + band) * points;
      for (std::int64_t p = 0; p < points; ++p) {
        double* const u = block + settings_.form.place(system_.grid, p) + 2 * b;
        u[0] = from[p].real();
        u[1] = from[p].imag();
      }
    }
  }
}

Electrons::~Electrons() = default;

dft::Vector Electrons::field(double t) const {
  dft::Vector a{};
  a[settings_.axis] = !given_ ? settings_.pulse.a(t) : t > given_->time + settings_.dt / 2 ? given_->then : given_->now;
  return a;
}

dft::Stencil Electrons::stencil_at(std::size_t k, const dft::Vector& a) const {
  dft::Vector at = system_.k_points[static_cast<std::size_t>(share_.k.first) + k].k;
  for (std::size_t d = 0; d < 3; ++d) at[d] += a[d];
  dft::Stencil stencil(system_.grid, at);
  if (settings_.fault == Fault::gradient_sign) {
    for (auto& axis : stencil.first) {
      for (double& x : axis) x = -x;
    }
  }
  return stencil;
}

void Electrons::phases_at(std::size_t k, const dft::Vector& a, Phases& phases) const {
  dft::Vector at = system_.k_points[static_cast<std::size_t>(share_.k.first) + k].k;
  for (std::size_t d = 0; d < 3; ++d) at[d] += a[d];
  phases.set(projectors_, at);
  if (settings_.fault == Fault::missing_phase) phases.leave_out();
}

// From the inside out, see Store. Each pass adds its non-local part where the stencil has left the local one.
void Electrons::taylor(const Half& half, double* block, Team& mine) {
  const double* in = block;
  for (int n = taylor_order; n >= 1; --n) {
    double* const out = n == 1 ? block : mine.between[n % 2].data();
    const double scale = half.dt / n;
    stencil_explicit(settings_.form, Store::taylor, *half.stencil, half.diagonal, in,
                     {.out = out,
                      .orbital = block,
                      .scale = scale,
                      .planes_at_once = settings_.planes_at_once,
                      .prefetch_bytes = settings_.prefetch_bytes},
                     mine.scratch.data());
    mine.spent(stencil_part);
    add_nonlocal(settings_.form, projectors_, *half.phases, {0, -scale}, in, out);
    mine.spent(nonlocal_part);
    in = out;
  }
}

// The same with H and the update in passes of their own.
void Electrons::taylor_in_passes(const Half& half, double* block, Team& mine) {
  double* const term[2] = {mine.between[0].data(), mine.between[1].data()};
  std::copy_n(block, block_doubles_, term[1]);
  mine.spent(update_part);
  for (int n = 1; n <= taylor_order; ++n) {
    const double* const in = term[n % 2];
    double* const out = term[(n - 1) % 2];
    const double scale = half.dt / n;
    apply_single(settings_.kernel, *half.stencil, half.potential, in, out);
    mine.spent(stencil_part);
    add_nonlocal(settings_.form, projectors_, *half.phases, 1, in, out);
    mine.spent(nonlocal_part);
    for (std::int64_t i = 0; i < block_doubles_; i += 2) {
      const double re = scale * out[i + 1], im = -scale * out[i];
      out[i] = re;
      out[i + 1] = im;
      block[i] += re;
      block[i + 1] += im;
    }
    mine.spent(update_part);
  }
}

void Electrons::work(double dt, Range tasks, Team& mine) {
  const double t = time();
  const bool aetrs = settings_.propagator == Propagator::aetrs;
  const dft::Vector now = field(t), then = field(t + dt);
  dft::Vector middle;
  for (std::size_t d = 0; d < 3; ++d) middle[d] = 0.5 * (now[d] + then[d]);
  std::int64_t phases_of = -1;
  mine.since = ticks_now();
  for (std::int64_t task = tasks.first; task < tasks.last; ++task) {
    const auto k = static_cast<std::size_t>(task / blocks_);
    const dft::Stencil first = stencil_at(k, aetrs ? now : middle), last = stencil_at(k, then);
    if (phases_of != task / blocks_) {
      phases_at(k, aetrs ? now : middle, mine.phases[0]);
      phases_at(k, then, mine.phases[1]);
      phases_of = task / blocks_;
      if (settings_.kernel == Kernel::vectors) {
        mine.spent(update_part);
        diagonal_of(first, potential_[0].data(), mine.diagonal[0].data());
        diagonal_of(last, extrapolated_.data(), mine.diagonal[1].data());
        mine.spent(stencil_part);
      }
    }
    double* const block = orbitals_.data() + task * block_doubles_;
    const Half halves[2] = {
        {&first, &mine.phases[0], potential_[0].data(), mine.diagonal[0].data(), aetrs ? dt / 2 : dt},
        {&last, &mine.phases[1], extrapolated_.data(), mine.diagonal[1].data(), dt / 2}};
    mine.spent(update_part);
    for (int i = 0; dt > 0 && i < (aetrs ? 2 : 1); ++i) {
      if (settings_.kernel == Kernel::vectors) {
        taylor(halves[i], block, mine);
      } else {
        taylor_in_passes(halves[i], block, mine);
      }
    }
    const double weight =
        dft::System::occupation * system_.k_points[static_cast<std::size_t>(share_.k.first) + k].weight;
    add_density(settings_.form, system_.grid, weight, block, mine.density.data());
    mine.spent(density_part);
    const bool stale = settings_.fault == Fault::stale_current;
    const dft::Vector kinetic = kinetic_current(settings_.form, stale ? first : last, block);
    const dft::Vector nonlocal = nonlocal_current(settings_.form, projectors_, mine.phases[stale ? 0 : 1], block);
    for (std::size_t d = 0; d < 3; ++d) mine.current[d] += weight * (kinetic[d] + nonlocal[d]);
    mine.spent(current_part);
  }
}

Ticks Electrons::pass(double dt) {
  const auto points = static_cast<std::size_t>(system_.grid.size());
  sums_.assign(points + 3, 0.0);
  Ticks ticks{};
#pragma omp parallel num_threads(threads_)
  {
    auto& place = team_[static_cast<std::size_t>(omp_get_thread_num())];
    if (!place) {
      place =
          std::make_unique<Team>(block_doubles_, scratch_doubles(system_.grid, settings_.form), system_.grid.size());
    }
    Team& mine = *place;
    mine.ticks.fill(0);
    mine.current.fill(0);
    std::fill(mine.density.begin(), mine.density.end(), 0.0);
    work(dt, share_of(tasks(), omp_get_thread_num(), omp_get_num_threads()), mine);
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < omp_get_num_threads(); ++thread) {
#pragma omp ordered
      {
        for (std::size_t p = 0; p < points; ++p) sums_[p] += mine.density[p];
        for (std::size_t d = 0; d < 3; ++d) sums_[points + d] += mine.current[d];
        for (std::size_t part = 0; part < part_count; ++part) ticks[part] += mine.ticks[part];
      }
    }
  }
  for (auto& part : ticks) part /= threads_;
  return ticks;
}

void Electrons::take_sums() {
  const auto points = static_cast<std::size_t>(system_.grid.size());
  density_.assign(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(points));
  if (settings_.fault != Fault::unsymmetric_density) symmetriser_(density_);
  for (std::size_t d = 0; d < 3; ++d) {
    // Symmetries by which k was reduced leave fields along z as they are, and cancel what lies across.
    const bool cancelled = system_.reduction > 1 && d != 2;
    current_[d] = cancelled ? 0 : sums_[points + d] / system_.grid.volume();
  }
}

void Electrons::hartree() {
  new_potential_.resize(density_.size());
  hartree_(density_.data(), new_potential_.data());
}

void Electrons::exchange_correlation() {
  dft::add_exchange_correlation(system_.functional, system_.grid.size(), density_.data(), new_potential_.data());
}

void Electrons::finish_step() {
  for (std::size_t p = 0; p < new_potential_.size(); ++p) {
    const double now = new_potential_[p] + system_.local_potential[p];
    potential_[2][p] = potential_[1][p];
    potential_[1][p] = potential_[0][p];
    potential_[0][p] = now;
  }
  extrapolate();
  ++steps_;
}

void Electrons::extrapolate() {
  extrapolated_.resize(potential_[0].size());
  for (std::size_t p = 0; p < extrapolated_.size(); ++p) {
    extrapolated_[p] = 3 * (potential_[0][p] - potential_[1][p]) + potential_[2][p];
  }
}

double Electrons::electrons() const {
  double sum = 0;
  for (const double x : density_) sum += x;
  return sum * system_.grid.point_volume();
}

void Electrons::save(std::ostream& out) const {
  put(out, &settings_.form.layout, 1);
  put(out, &steps_, 1);
  put(out, current_.data(), current_.size());
  put(out, density_.data(), density_.size());
  for (const auto& potential : potential_) put(out, potential.data(), potential.size());
  const auto plain = orbitals();
  put(out, plain.data(), plain.size());
}

bool Electrons::restore(std::istream& in) {
  const auto points = static_cast<std::size_t>(system_.grid.size());
  Layout layout{};
  bool complete = get(in, &layout, 1) && get(in, &steps_, 1) && get(in, current_.data(), current_.size());
  density_.resize(points);
  complete = complete && get(in, density_.data(), points);
  for (auto& potential : potential_) {
    potential.resize(points);
    complete = complete && get(in, potential.data(), points);
  }
  std::vector<dft::Complex> plain(static_cast<std::size_t>(share_.orbitals()) * points);
  if (!complete || !get(in, plain.data(), plain.size())) return false;
  if (settings_.by_trial && layout != settings_.form.layout) {
    take_layout(settings_, layout, system_.grid);
    projectors_ = Projectors(system_, settings_.form);
    make_blocks();
  }
  set_orbitals(plain.data(), share_.bands.size(), 0);
  extrapolate();
  return true;
}

std::vector<dft::Complex> Electrons::orbitals() const {
  const std::int64_t points = system_.grid.size(), bands = share_.bands.size();
  const int together = settings_.form.bands();
  std::vector<dft::Complex> plain(static_cast<std::size_t>(share_.orbitals() * points));
  for (std::int64_t k = 0; k < share_.k.size(); ++k) {
    for (std::int64_t band = 0; band < bands; ++band) {
      const double* const block = orbitals_.data() + (k * blocks_ + band / together) * block_doubles_;
      for (std::int64_t p = 0; p < points; ++p) {
        const double* const u = block + settings_.form.place(system_.grid, p) + 2 * (band % together);
        plain[static_cast<std::size_t>((k * bands + band) * points + p)] = {u[0], u[1]};
      }
    }
  }
  return plain;
}

void Electrons::apply(std::size_t k, const dft::Complex* in, dft::Complex* out) {
  const int together = settings_.form.bands();
  const std::int64_t points = system_.grid.size();
  const dft::Stencil stencil = stencil_at(k, a());
  Phases phases;
  phases_at(k, a(), phases);
  Team mine(block_doubles_, scratch_doubles(system_.grid, settings_.form), points);
  double* const from = mine.between[0].data();
  double* const to = mine.between[1].data();
  // The last band of a block; the others stay 0.
  const auto place = [&](std::int64_t p) { return settings_.form.place(system_.grid, p) + 2 * (together - 1); };
  for (std::int64_t p = 0; p < points; ++p) {
    from[place(p)] = in[p].real();
    from[place(p) + 1] = in[p].imag();
  }
  if (settings_.kernel == Kernel::vectors) {
    diagonal_of(stencil, potential_[0].data(), mine.diagonal[0].data());
    stencil_explicit(
        settings_.form, Store::apply, stencil, mine.diagonal[0].data(), from,
        {.out = to, .planes_at_once = settings_.planes_at_once, .prefetch_bytes = settings_.prefetch_bytes},
        mine.scratch.data());
  } else {
    apply_single(settings_.kernel, stencil, potential_[0].data(), from, to);
  }
  add_nonlocal(settings_.form, projectors_, phases, 1, from, to);
  for (std::int64_t p = 0; p < points; ++p) {
    out[p] = {to[place(p)], to[place(p) + 1]};
  }
}

}  // namespace tenken::tddft
