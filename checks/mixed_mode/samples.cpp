#include "samples.hpp"

#include <algorithm>

#include "base/median.hpp"
#include "parallel/batch.hpp"
#include "this_check.hpp"

namespace mixed_mode {

using namespace tenken;
namespace section = this_check::section;

namespace {

Leaf section_of(Mode mode) {
  constexpr std::array<Leaf, modes> sections = {section::master_only, section::funnelled, section::serialized,
                                                section::multiple};
  return sections[static_cast<std::size_t>(mode)];
}

// Exchanges of a sample of about 0.1 ms; two where ranks share cores, for a sample needs a second exchange to show data
// of the first.
int fitting(const Check& check, Modes& modes, std::int64_t& sample) {
  constexpr int least = 2;
  if (check.max_over_ranks(check.oversubscribed() ? 1 : 0) > 0) return least;
  const int calls = batch_of(check.comm(), [&](int count) { modes.run(Mode::master_only, ++sample, count); });
  return std::max(least, calls);
}

}  // namespace

Samples::Samples(Check& check, const Modes::Options& options, int samples, int provided)
    : check_(check),
      modes_(check.comm(), check.threads(), options),
      samples_(samples),
      clock_(check.comm()),
      late_(static_cast<std::size_t>(check.threads())) {
  for (int i = 0; i < modes; ++i) allowed_[static_cast<std::size_t>(i)] = provided >= level_of(static_cast<Mode>(i));
  iterations_ = fitting(check, modes_, sample_);
}

void Samples::pass(bool timed) {
  clock_.synchronise();
  for (int round = 0; round < samples_; ++round) {
    for (int i = 0; i < modes; ++i) {
      const auto mode = static_cast<Mode>((i + round) % modes);
      if (!measured(mode)) continue;
      const double ns = timed_run(mode);
      if (timed) ns_[static_cast<std::size_t>(mode)].push_back(ns / iterations_);
      if (timed && mode == Mode::multiple) count_entries();
    }
    const std::int64_t begin = ticks_now();
    {
      const Section s{section::regions, 0, {}, iterations_};
      modes_.regions(iterations_);
    }
    const std::int64_t between = ticks_now();
    {
      const Section s{section::touch, 0, {}, iterations_};
      modes_.touch(++sample_, iterations_);
    }
    const double per_tick = clock_.ns_per_tick() / iterations_;
    if (!timed) continue;
    region_ns_.push_back(static_cast<double>(between - begin) * per_tick);
    touch_ns_.push_back(static_cast<double>(ticks_now() - between) * per_tick);
  }
}

double Samples::timed_run(Mode mode) {
  ++sample_;
  MPI_Barrier(check_.comm());
  const double begin = clock_.now();
  {
    const Section s{section_of(mode), 0, {}, iterations_};
    modes_.run(mode, sample_, iterations_);
  }
  const double ns = clock_.whole(begin, clock_.now());
  modes_.verify(mode, sample_, iterations_);
  return ns;
}

void Samples::count_entries() {
  const std::vector<std::int64_t>& entries = modes_.entries();
  const auto threads = static_cast<std::size_t>(modes_.threads());
  for (std::size_t first = 0; first + threads <= entries.size(); first += threads) {
    const auto of = entries.begin() + static_cast<std::ptrdiff_t>(first);
    const std::int64_t earliest = *std::min_element(of, of + static_cast<std::ptrdiff_t>(threads));
    for (std::size_t t = 0; t < threads; ++t) {
      late_[t].push_back(static_cast<double>(entries[first + t] - earliest) * clock_.ns_per_tick() * 1e-3);
    }
  }
}

std::vector<double> Samples::late_us() const {
  std::vector<double> medians;
  for (const std::vector<double>& of : late_) {
    if (!of.empty()) medians.push_back(median_of(of));
  }
  return medians;
}

}  // namespace mixed_mode
