#include "measure/memory_counters.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace tenken {

namespace {

constexpr std::string_view devices = "/sys/bus/event_source/devices/";

struct Names {
  std::string_view read, written;
};
// Of servers; of desktop processors since 2019; of older desktop processors.
constexpr std::array<Names, 3> names_by_kind = {
    {{"cas_count_read", "cas_count_write"}, {"data_read", "data_write"}, {"data_reads", "data_writes"}}};

// Bytes of one count.
std::optional<double> scale_of(const Tree& tree, const std::string& device, std::string_view name) {
  const std::string event = std::string(devices) + device + "/events/" + std::string(name);
  const std::string scale = tree.text(event + ".scale").value_or("");
  double number = 0;
  const auto [end, error] = std::from_chars(scale.data(), scale.data() + scale.size(), number);
  if (error != std::errc{} || end != scale.data() + scale.size() || !(number > 0)) return std::nullopt;
  if (tree.text(event + ".unit") != "MiB") return std::nullopt;
  return number * 0x1p20;
}

}  // namespace

MemoryCounters::MemoryCounters(PerfSystem& system, const Tree& tree) {
  for (const Names& names : names_by_kind) {
    for (const std::string& device : tree.names(devices)) {
      if (!device.starts_with("uncore_imc")) continue;
      const auto read = named_event(tree, device, names.read), written = named_event(tree, device, names.written);
      const auto read_scale = scale_of(tree, device, names.read), written_scale = scale_of(tree, device, names.written);
      if (!read || !written || !read_scale || !written_scale) continue;
      for (const int cpu : tree.cpus(std::string(devices) + device + "/cpumask")) {
        const std::array<PerfEvent, 2> events = {*read, *written};
        CounterGroup group(system, events, {.task = -1, .cpu = cpu, .user_code_alone = false});
        if (group.error() != 0) {
          problem_ = refusal_of(group.error(), tree);
          controllers_.clear();
          return;
        }
        controllers_.push_back({std::move(group), *read_scale, *written_scale});
      }
    }
    if (!controllers_.empty()) return;
  }
  problem_ = "not named: the kernel names no counter of memory reads and writes (uncore_imc)";
}

void MemoryCounters::begin() noexcept {
  for (Controller& one : controllers_) one.before = one.group.read();
}

std::optional<MemoryCounters::Bytes> MemoryCounters::end() noexcept {
  Bytes sum;
  for (const Controller& one : controllers_) {
    const auto counted = counted_between(one.before, one.group.read());
    if (!counted) return std::nullopt;
    sum.read += one.read_scale * static_cast<double>(counted->counts[0]);
    sum.written += one.written_scale * static_cast<double>(counted->counts[1]);
  }
  return controllers_.empty() ? std::nullopt : std::optional(sum);
}

}  // namespace tenken
