// The clock of every usable core: measured with all of them busy, and as the system tells it.
#include "measure/frequency.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <system_error>
#include <thread>

#include "measure/clock.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

constexpr auto whole_time = std::chrono::milliseconds(50);
constexpr double alone = 0.95;  // of what a core adds at its best: below, another hardware thread works on it

struct Measured {
  int cpu = 0;
  std::optional<double> best_hz, median_hz;   // empty where the thread could not be bound to the core
  std::optional<double> additions_per_cycle;  // where no other hardware thread works on the core
  std::optional<double> shared;               // part of the samples in which one does
};

void measure_here(Measured& core, double ns_per_tick) {
  cpu_set_t* const set = CPU_ALLOC(core.cpu + 1);
  if (set == nullptr) return;
  const auto size = CPU_ALLOC_SIZE(core.cpu + 1);
  CPU_ZERO_S(size, set);
  CPU_SET_S(core.cpu, size, set);
  const bool bound = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  if (!bound) return;

  core_frequency_hz(ns_per_tick);  // wakes the core
  std::vector<double> samples;
  std::vector<double> additions;
  const auto end = std::chrono::steady_clock::now() + whole_time;
  do {
    samples.push_back(core_frequency_hz(ns_per_tick));
    additions.push_back(core_additions_per_cycle());
  } while (std::chrono::steady_clock::now() < end);
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  core.median_hz = *middle;
  core.best_hz = *std::max_element(samples.begin(), samples.end());
  // Not the greatest: an interrupt of the chain that tells the cycles makes it more than the core can do.
  const auto high = additions.begin() + static_cast<std::ptrdiff_t>(additions.size() * 9 / 10);
  std::nth_element(additions.begin(), high, additions.end());
  core.additions_per_cycle = *high;
  const auto fewer = std::count_if(additions.begin(), additions.end(), [&](double one) { return one < alone * *high; });
  core.shared = static_cast<double>(fewer) / static_cast<double>(additions.size());
}

std::vector<Measured> measure(const Tree& tree) {
  std::vector<Measured> cores;
  if (!tree.live()) return cores;
  for (const int cpu : one_cpu_a_core(tree))
    cores.push_back({.cpu = cpu, .best_hz = {}, .median_hz = {}, .additions_per_cycle = {}, .shared = {}});
  const Clock clock;
  std::vector<std::jthread> threads;
  for (auto& core : cores) {
    try {
      threads.emplace_back([&core, &clock] { measure_here(core, clock.ns_per_tick()); });
    } catch (const std::system_error&) {
      break;  // a limit on threads: the cores that are left stay unmeasured
    }
  }
  threads.clear();  // joins
  return cores;
}

// Distinct values over all CPUs, each with how many CPUs have it: {"performance": 94, "powersave": 2}.
std::map<std::string, int> distinct(const Tree& tree, std::string_view file) {
  std::map<std::string, int> count;
  for (const int cpu : usable_cpus(tree)) {
    const auto path = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/" + std::string(file);
    if (const auto value = tree.text(path)) ++count[*value];
  }
  return count;
}

void write_counts(Json& json, std::string_view name, const std::map<std::string, int>& counts) {
  json.key(name).begin_object();
  for (const auto& [value, count] : counts) json.field(value, count);
  json.end_object();
}

// Least or greatest of a frequency that cpufreq tells in kHz, over all CPUs, in Hz.
std::optional<double> told_hz(const Tree& tree, std::string_view file, bool greatest) {
  std::optional<double> hz;
  for (const auto& [text, count] : distinct(tree, file)) {
    const auto khz = parse_number(text);
    if (!khz) continue;
    const double told = static_cast<double>(*khz) * 1e3;
    if (!hz || (greatest ? told > *hz : told < *hz)) hz = told;
  }
  return hz;
}

std::optional<double> nominal_hz(const Tree& tree) {  // "… @ 2.30GHz"
  const auto name = value_of(tree.lines("/proc/cpuinfo"), "model name", ':');
  const auto at = name ? name->find('@') : std::string::npos;
  if (at == std::string::npos || !name->ends_with("GHz")) return std::nullopt;
  const double ghz = std::strtod(name->c_str() + at + 1, nullptr);
  return ghz > 0 ? std::optional(ghz * 1e9) : std::nullopt;
}

std::optional<bool> boost(const Tree& tree) {
  if (const auto on = tree.number("/sys/devices/system/cpu/cpufreq/boost")) return *on != 0;
  if (const auto off = tree.number("/sys/devices/system/cpu/intel_pstate/no_turbo")) return *off == 0;
  return std::nullopt;
}

}  // namespace

void write_frequency(Json& json, const Tree& tree) {
  json.key("frequency").begin_object();
  json.key("measured").begin_array();
  for (const auto& core : measure(tree)) {
    json.begin_object().field("cpu", core.cpu);
    field(json, "best_hz", core.best_hz);
    field(json, "median_hz", core.median_hz);
    field(json, "additions_per_cycle", core.additions_per_cycle);
    field(json, "shared", core.shared);
    json.end_object();
  }
  json.end_array();
  field(json, "nominal_hz", nominal_hz(tree));
  field(json, "base_hz", told_hz(tree, "base_frequency", false));
  field(json, "min_hz", told_hz(tree, "cpuinfo_min_freq", false));
  field(json, "max_hz", told_hz(tree, "cpuinfo_max_freq", true));
  field(json, "limit_hz", told_hz(tree, "scaling_max_freq", false));
  write_counts(json, "governors", distinct(tree, "scaling_governor"));
  write_counts(json, "drivers", distinct(tree, "scaling_driver"));
  write_counts(json, "energy_preferences", distinct(tree, "energy_performance_preference"));
  field(json, "boost", boost(tree));
  field(json, "idle_driver", tree.text("/sys/devices/system/cpu/cpuidle/current_driver"));
  json.end_object();
}

}  // namespace tenken
