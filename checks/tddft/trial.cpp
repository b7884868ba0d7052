#include "trial.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "input.hpp"
#include "measure/clock.hpp"

namespace tenken::tddft {

namespace {

constexpr std::int64_t bands_of_a_thread = 16;

// Tasks of the busiest thread, in bands with the empty ones of its blocks.
std::int64_t bands_of_busiest(std::int64_t k_count, std::int64_t bands, const Form& form, int threads) {
  const std::int64_t together = form.bands(), tasks = k_count * ((bands + together - 1) / together);
  return (tasks + threads - 1) / threads * together;
}

Form form_for(Layout layout, const dft::System& system, const Settings& settings) {
  return form_of(layout, system.grid, settings.vector_bytes);
}

// Electrons of one k that feel nothing: speed does not depend on what orbitals look like.
std::unique_ptr<Electrons> electrons_of(const dft::System& small, Settings settings, Layout layout, int threads) {
  take_layout(settings, layout, small.grid);
  const auto points = static_cast<std::size_t>(small.grid.size());
  dft::GroundState start;
  start.k_range = {0, 1};
  start.bands = small.bands();
  start.mine = {0, start.bands};
  start.orbitals = Buffer<dft::Complex>(static_cast<std::size_t>(start.bands) * points, Pages::base, "a trial");
  std::fill_n(start.orbitals.data(), start.orbitals.size(), 1.0);
  start.potential.assign(points, 0.0);
  start.density.assign(points, 0.0);
  auto electrons = std::make_unique<Electrons>(small, start, settings, threads);
  electrons->propagate();
  return electrons;
}

}  // namespace

Trial try_layouts(const dft::System& system, const Settings& settings, const dft::Share& share, int threads,
                  int rounds) {
  dft::System small = system;
  small.k_points.resize(1);
  const std::int64_t bands = std::min(bands_of_a_thread * threads, share.orbitals());
  small.electrons = static_cast<int>(2 * bands);
  const Layout layouts[2] = {Layout::points, Layout::bands};
  std::unique_ptr<Electrons> electrons[2];
  for (int i = 0; i < 2; ++i) electrons[i] = electrons_of(small, settings, layouts[i], threads);
  double least[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 2; ++i) {
      const std::int64_t start = monotonic_ns();
      electrons[i]->propagate();
      const std::int64_t each = bands_of_busiest(1, bands, electrons[i]->settings().form, threads);
      const std::int64_t applied = each * electrons[i]->applications() * small.grid.size();
      least[i] = std::min(least[i], static_cast<double>(monotonic_ns() - start) / static_cast<double>(applied));
    }
  }
  return {least[0], least[1]};
}

Layout faster_layout(const Trial& trial, const dft::System& system, const Settings& settings, const dft::Share& share,
                     int threads) {
  const auto step = [&](Layout layout, double each) {
    const Form form = form_for(layout, system, settings);
    return each * static_cast<double>(bands_of_busiest(share.k.size(), share.bands.size(), form, threads));
  };
  return step(Layout::bands, trial.bands) < step(Layout::points, trial.points) ? Layout::bands : Layout::points;
}

void choose_layout(Check& check, const dft::System& system, Settings& settings, const dft::Share& most) {
  if (!settings.by_trial) return;
  constexpr int rounds = 9;
  Trial trial = try_layouts(system, settings, most, check.threads(), rounds);
  trial = {check.max_over_ranks(trial.points), check.max_over_ranks(trial.bands)};
  check.value("trial_points", "ns", trial.points);
  check.value("trial_bands", "ns", trial.bands);
  take_layout(settings, faster_layout(trial, system, settings, most, check.threads()), system.grid);
}

}  // namespace tenken::tddft
