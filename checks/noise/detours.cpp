#include "detours.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace noise {

namespace {
constexpr int fewest_beats = 10;
constexpr double least_share = 1.0 / 3;
constexpr double least_order = 0.75;  // length of the mean of unit vectors: 1 = all at the same phase
constexpr double precision = 0.02;    // of the commonest distance, as the period
constexpr std::size_t most_events = 4000;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How well times fit a rhythm (N. I. Fisher, Statistical Analysis of Circular Data, 1993, section 2.3).
double order(std::span<const Detour> events, double period) {
  double c = 0;
  double s = 0;
  for (const Detour& event : events) {
    const double phase = 2 * std::numbers::pi * event.at / period;
    c += std::cos(phase);
    s += std::sin(phase);
  }
  return std::hypot(c, s) / static_cast<double>(events.size());
}

// The commonest distance between neighbours: the half-sample mode (D. R. Bickel and R. Fruehwirth, Computational
// Statistics & Data Analysis 50 (2006) 3500), of logarithms, so that "close" is a ratio.
double commonest_gap(std::span<const Detour> events) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < events.size(); ++i) {
    const double gap = events[i].at - events[i - 1].at;
    if (gap > 0) gaps.push_back(std::log(gap));
  }
  if (gaps.empty()) return 0;
  std::sort(gaps.begin(), gaps.end());
  std::size_t first = 0;
  std::size_t count = gaps.size();
  while (count > 3) {
    const std::size_t half = (count + 1) / 2;
    std::size_t best = first;
    for (std::size_t i = first; i + half <= first + count; ++i) {
      if (gaps[i + half - 1] - gaps[i] < gaps[best + half - 1] - gaps[best]) best = i;
    }
    first = best;
    count = half;
  }
  return std::exp(gaps[first + count / 2]);
}

// The period near `gap` that fits best; 0 where none does.
double fitting_period(std::span<const Detour> events, double gap) {
  const double span = events.back().at - events.front().at;
  const double step = 0.2 * gap / std::max(span, gap);  // of the period: a fifth of a turn over all of the time
  double best = 0;
  double best_order = least_order;
  for (double factor = 1 - precision; factor <= 1 + precision; factor += step) {
    const double fits = order(events, gap * factor);
    if (fits <= best_order) continue;
    best_order = fits;
    best = gap * factor;
  }
  return best;
}
}  // namespace

double find_detours(std::span<const double> at, std::span<const double> took, double least,
                    std::vector<Detour>& found) {
  if (took.empty()) return 0;
  const double quantum = median({took.begin(), took.end()});
  for (std::size_t i = 0; i < took.size(); ++i) {
    if (took[i] - quantum >= least) found.push_back({at[i], took[i] - quantum});
  }
  return quantum;
}

int bin_of(double length) {
  return length < 2 ? 0 : std::min(bins - 1, static_cast<int>(std::floor(std::log2(length))));
}

std::vector<Period> find_periods(std::span<const Detour> detours, double time) {
  std::vector<Period> found;
  for (int half = 0; half < 2 * bins; ++half) {
    const double from = std::exp2(half / 2.0);
    std::vector<Detour> events;
    for (const Detour& one : detours) {
      if (one.length >= from && one.length < 2 * from && events.size() < most_events) events.push_back(one);
    }
    if (events.size() < fewest_beats) continue;
    const double gap = commonest_gap(events);
    const double period = gap > 0 ? fitting_period(events, gap) : 0;
    if (period <= 0) continue;
    const double watched = events.size() < most_events ? time : events.back().at;
    std::vector<double> lengths;
    for (const Detour& one : events) lengths.push_back(one.length);
    found.push_back({1e6 / period, median(lengths), static_cast<int>(events.size()),
                     static_cast<double>(events.size()) * period / watched});
  }
  std::erase_if(found, [](const Period& one) { return one.share < least_share; });
  std::sort(found.begin(), found.end(), [](const Period& a, const Period& b) { return a.beats > b.beats; });
  // Neighbouring ranges of lengths see the same rhythm.
  std::vector<Period> distinct;
  for (const Period& one : found) {
    const bool seen = std::any_of(distinct.begin(), distinct.end(), [&](const Period& other) {
      return std::abs(one.hertz / other.hertz - 1) < precision && std::abs(std::log2(one.length / other.length)) < 1;
    });
    if (!seen) distinct.push_back(one);
  }
  return distinct;
}

}  // namespace noise
