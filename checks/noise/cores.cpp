#include "cores.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <string>

#include "kernel.hpp"

namespace noise {

namespace {
constexpr double batch_us = 20000;

void spin_until(std::int64_t ticks) {
  while (tenken::ticks_now() < ticks) {
  }
}
}  // namespace

Cores::Cores(int threads, double quantum_us, double least_us, Planted planted)
    : us_per_tick_(clock_.ns_per_tick() / 1000),
      least_us_(least_us),
      planted_(planted),
      cores_(static_cast<std::size_t>(threads)) {
  // The shortest of some runs tells how long a step takes: others' load only lengthens.
  constexpr std::int64_t trial = 20000;
  std::int64_t shortest = INT64_MAX;
  for (int i = 0; i < 50; ++i) {
    const std::int64_t start = tenken::ticks_now();
    if (work(trial) == plain_power(trial)) shortest = std::min(shortest, tenken::ticks_now() - start);
  }
  const double step_us = static_cast<double>(shortest) * us_per_tick_ / static_cast<double>(trial);
  steps_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(quantum_us / step_us));
  answer_ = plain_power(steps_);
  quanta_ = std::max(10, static_cast<int>(batch_us / quantum_us));
  first_ = tenken::ticks_now();
#pragma omp parallel num_threads(threads)
  {
    Core& own = cores_[static_cast<std::size_t>(omp_get_thread_num())];
    own.cpu = sched_getcpu();
    own.begin.resize(static_cast<std::size_t>(quanta_));
    own.end.resize(static_cast<std::size_t>(quanta_));
    own.detours.reserve(1 << 14);
    own.next = first_;
  }
}

void Cores::batch() {
  const int last = static_cast<int>(cores_.size()) - 1;
#pragma omp parallel num_threads(static_cast <int>(cores_.size()))
  {
    const int me = omp_get_thread_num();
    Core& own = cores_[static_cast<std::size_t>(me)];
    const bool planted = planted_.every_us > 0 && me == last;
    const auto every = static_cast<std::int64_t>(planted_.every_us / us_per_tick_);
    const auto length = static_cast<std::int64_t>(planted_.length_us / us_per_tick_);
    for (std::size_t i = 0; i < own.begin.size(); ++i) {
      const std::int64_t begin = tenken::ticks_now();
      own.wrong += work(steps_) == answer_ ? 0 : 1;
      if (planted && begin >= own.next) {
        const bool in_time = begin - own.next < every / 10;  // else the core was away, and the beat is missed
        own.next += (1 + (begin - own.next) / every) * every;
        if (in_time) spin_until(tenken::ticks_now() + length);
      }
      own.begin[i] = begin;
      own.end[i] = tenken::ticks_now();
    }
  }
}

void Cores::take_over() {
#pragma omp parallel num_threads(static_cast <int>(cores_.size()))
  {
    Core& own = cores_[static_cast<std::size_t>(omp_get_thread_num())];
    std::vector<double> at(own.begin.size()), took(own.begin.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = static_cast<double>(own.begin[i] - first_) * us_per_tick_;
      took[i] = static_cast<double>(own.end[i] - own.begin[i]) * us_per_tick_;
      own.watched += took[i];
    }
    own.quantum = find_detours(at, took, least_us_, own.detours);
  }
}

void Cores::forget() {
  first_ = tenken::ticks_now();
  for (Core& core : cores_) {
    core.detours.clear();
    core.watched = 0;
    core.next = first_;
  }
}

std::int64_t Cores::wrong() const {
  std::int64_t all = 0;
  for (const Core& core : cores_) all += core.wrong;
  return all;
}

double Cores::lost_share() const {
  double lost = 0;
  double watched = 0;
  for (const Core& core : cores_) {
    watched += core.watched;
    for (const Detour& one : core.detours) lost += one.length;
  }
  return watched > 0 ? lost / watched : 0;
}

double Cores::detours_per_second() const {
  double count = 0;
  double watched = 0;
  for (const Core& core : cores_) {
    watched += core.watched;
    count += static_cast<double>(core.detours.size());
  }
  return watched > 0 ? count / watched * 1e6 : 0;
}

double Cores::quantum_us() const {
  std::vector<double> quanta;
  for (const Core& core : cores_) quanta.push_back(core.quantum);
  std::sort(quanta.begin(), quanta.end());
  return quanta[quanta.size() / 2];
}

tenken::Table Cores::table(const char* name, const char* unit, bool share) const {
  tenken::Table table{name, unit, tenken::Better::lower, {}, {}, {}};
  for (int bin = 0; bin < bins; ++bin) table.columns.push_back(std::to_string(1 << bin) + " us");
  for (const Core& core : cores_) {
    table.rows.push_back("processor " + std::to_string(core.cpu));
    std::array<double, bins> sums{};
    for (const Detour& one : core.detours) {
      sums[static_cast<std::size_t>(bin_of(one.length))] += share ? one.length : 1;
    }
    for (const double sum : sums) table.values.emplace_back(share ? sum / core.watched : sum / core.watched * 1e6);
  }
  return table;
}

tenken::Table Cores::rates() const { return table("detours", "Hz", false); }
tenken::Table Cores::shares() const { return table("lost", "1", true); }

std::vector<Cores::OfCore> Cores::periods() const {
  std::vector<OfCore> all;
  for (const Core& core : cores_) {
    double at_work = core.watched;
    for (const Detour& one : core.detours) at_work -= one.length;
    all.push_back({core.cpu, find_periods(core.detours, at_work)});
  }
  return all;
}

std::vector<double> Cores::seconds() const {
  std::vector<double> seconds;
  for (const Core& core : cores_) seconds.push_back(core.watched * 1e-6);
  return seconds;
}

}  // namespace noise
