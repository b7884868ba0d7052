#include "measure/perf_counters.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

namespace tenken {

namespace {

constexpr std::string_view devices = "/sys/bus/event_source/devices/";
constexpr std::string_view paranoid = "/proc/sys/kernel/perf_event_paranoid";
constexpr std::size_t head_words = 3;  // number of events, time enabled, time running

class LinuxPerf : public PerfSystem {
 public:
  int open(const perf_event_attr& attributes, pid_t task, int cpu, int leader) override {
    const long descriptor = syscall(SYS_perf_event_open, &attributes, task, cpu, leader, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : static_cast<int>(descriptor);
  }
  long read(int descriptor, std::span<std::uint64_t> words) override {
    const ssize_t bytes = ::read(descriptor, words.data(), words.size_bytes());
    return bytes < 0 ? -errno : static_cast<long>(bytes / 8);
  }
  void close(int descriptor) override { ::close(descriptor); }
#if defined(__x86_64__)
  const perf_event_mmap_page* map(int descriptor) override {
    void* const page = mmap(nullptr, page_bytes(), PROT_READ, MAP_SHARED, descriptor, 0);
    return page == MAP_FAILED ? nullptr : static_cast<const perf_event_mmap_page*>(page);
  }
  void unmap(const perf_event_mmap_page* page) override {
    munmap(const_cast<perf_event_mmap_page*>(page), page_bytes());
  }
  std::uint64_t counter(std::uint32_t number) override { return __rdpmc(static_cast<int>(number)); }
  std::uint64_t time_stamp() override { return __rdtsc(); }

 private:
  static std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
#endif
};

// What a page of the kernel shows now (comment of struct perf_event_mmap_page in linux/perf_event.h).
struct Shown {
  bool whole = false;
  std::uint64_t count = 0, enabled_ns = 0, running_ns = 0;
};

Shown shown_by(const volatile perf_event_mmap_page& page, PerfSystem& system) {
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    Shown now;
    const std::uint32_t sequence = page.lock;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const std::uint32_t index = page.index;
    const unsigned width = page.pmc_width;
    if (index == 0 || page.cap_user_rdpmc == 0 || page.cap_user_time == 0 || width == 0 || width > 64) return {};
    const unsigned unused_bits = 64U - width;
    const auto counter = static_cast<std::int64_t>(system.counter(index - 1) << unused_bits) >> unused_bits;
    now.count = static_cast<std::uint64_t>(page.offset) + static_cast<std::uint64_t>(counter);
    const std::uint64_t stamp = system.time_stamp(), shift = page.time_shift, multiplier = page.time_mult;
    const std::uint64_t rest = stamp & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t since = page.time_offset + (stamp >> shift) * multiplier + ((rest * multiplier) >> shift);
    now.enabled_ns = page.time_enabled + since;
    now.running_ns = page.time_running + since;
    now.whole = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (page.lock == sequence) return now;
  }
  return {};
}

constexpr PerfEvent generic(std::uint64_t config) { return {PERF_TYPE_HARDWARE, config}; }

bool named(std::string_view name, std::string_view start) { return name.substr(0, start.size()) == start; }

// Puts `value` into the bits of a format such as "config:0-7,32-35", low bits first; false where it is no such format.
bool place_bits(std::string_view format, std::uint64_t value, std::uint64_t& config) {
  constexpr std::string_view field = "config:";
  if (!named(format, field)) return false;  // config1 and config2 are not used by the events that are read here
  for (const std::string& part : split(format.substr(field.size()), ',')) {
    const auto ends = split(part, '-');
    const auto low = ends.empty() ? std::nullopt : parse_number(ends.front());
    const auto high = ends.empty() ? std::nullopt : parse_number(ends.back());
    if (!low || !high || *low < 0 || *high > 63 || *low > *high) return false;
    for (auto bit = *low; bit <= *high; ++bit, value >>= 1U) config |= (value & 1U) << static_cast<unsigned>(bit);
  }
  return value == 0;
}

void add_named(std::vector<CoreEvent>& events, const Tree& tree, Counted what, std::string_view name) {
  for (const std::string& device : tree.names(devices)) {
    if (!named(device, "armv8")) continue;
    if (const auto event = named_event(tree, device, name)) {
      events.push_back({what, *event});
      return;
    }
  }
}

std::vector<PerfEvent> plain(std::span<const CoreEvent> events) {
  std::vector<PerfEvent> all;
  for (const CoreEvent& one : events) all.push_back(one.event);
  return all;
}

bool denied(int error) { return error == EACCES || error == EPERM; }

}  // namespace

PerfSystem& perf_system() {
  static LinuxPerf system;
  return system;
}

std::string_view name_of(Counted what) {
  constexpr std::array<std::string_view, counted_events> names = {"instructions", "cycles", "l2_misses",
                                                                  "last_level_misses"};
  return names[static_cast<std::size_t>(what)];
}

std::optional<PerfEvent> named_event(const Tree& tree, std::string_view device, std::string_view name) {
  const std::string folder = std::string(devices) + std::string(device) + "/";
  const auto type = tree.number(folder + "type");
  const auto terms = tree.text(folder + "events/" + std::string(name));  // "event=0x04,umask=0x03"
  if (!type || !terms) return std::nullopt;
  PerfEvent event{static_cast<std::uint32_t>(*type), 0};
  for (const std::string& term : split(*terms, ',')) {
    const auto parts = split(term, '=');
    if (parts.empty()) return std::nullopt;
    const bool hexadecimal = parts.size() > 1 && named(parts[1], "0x");
    const auto value =
        parts.size() > 1 ? parse_number(parts[1], hexadecimal ? 16 : 10) : std::optional<std::int64_t>(1);
    const auto format = tree.text(folder + "format/" + parts[0]);
    if (!value || !format || !place_bits(*format, static_cast<std::uint64_t>(*value), event.config))
      return std::nullopt;
  }
  return event;
}

std::vector<CoreEvent> core_events(const Tree& tree) {
  std::vector<CoreEvent> events = {{Counted::instructions, generic(PERF_COUNT_HW_INSTRUCTIONS)},
                                   {Counted::cycles, generic(PERF_COUNT_HW_CPU_CYCLES)}};
  const std::string vendor = value_of(tree.lines("/proc/cpuinfo"), "vendor_id", ':').value_or("");
  if (vendor == "GenuineIntel") {
    events.push_back({Counted::l2_misses, generic(PERF_COUNT_HW_CACHE_REFERENCES)});
    events.push_back({Counted::last_level_misses, generic(PERF_COUNT_HW_CACHE_MISSES)});
  } else if (vendor == "AuthenticAMD") {
    events.push_back({Counted::l2_misses, generic(PERF_COUNT_HW_CACHE_MISSES)});
  } else {
    add_named(events, tree, Counted::l2_misses, "l2d_cache_refill");
    add_named(events, tree, Counted::last_level_misses, "ll_cache_miss_rd");
  }
  return events;
}

std::optional<GroupReading> counted_between(const GroupReading& before, const GroupReading& after) {
  if (!before.whole || !after.whole) return std::nullopt;
  GroupReading difference{true, after.enabled_ns - before.enabled_ns, after.running_ns - before.running_ns, {}};
  if (difference.enabled_ns != difference.running_ns) return std::nullopt;
  for (std::size_t i = 0; i < counted_events; ++i) difference.counts[i] = after.counts[i] - before.counts[i];
  return difference;
}

CounterGroup::CounterGroup(PerfSystem& system, std::span<const PerfEvent> events, Target target) : system_(&system) {
  for (const PerfEvent& event : events) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attributes.pinned = descriptors_.empty() ? 1 : 0;
    attributes.exclude_kernel = target.user_code_alone ? 1 : 0;
    attributes.exclude_hv = target.user_code_alone ? 1 : 0;
    const int leader = descriptors_.empty() ? -1 : descriptors_.front();
    const int descriptor = system_->open(attributes, target.task, target.cpu, leader);
    if (descriptor < 0) {
      error_ = -descriptor;
      return;
    }
    descriptors_.push_back(descriptor);
  }
  if (target.task == 0) map();
}

// Only if a direct reading lies between two of the kernel. Its clock may differ from the kernel's by rounding.
void CounterGroup::map() {
  constexpr std::uint64_t rounding_ns = 1000;
  for (const int descriptor : descriptors_) {
    const perf_event_mmap_page* const page = system_->map(descriptor);
    if (page == nullptr) break;
    pages_.push_back(page);
  }
  if (pages_.size() == descriptors_.size()) {
    const GroupReading before = read_by_system(), between = directly(), after = read_by_system();
    bool right = before.whole && between.whole && after.whole;
    for (std::size_t i = 0; i < descriptors_.size(); ++i) {
      right = right && before.counts[i] <= between.counts[i] && between.counts[i] <= after.counts[i];
    }
    right = right && before.enabled_ns <= between.enabled_ns + rounding_ns &&
            between.enabled_ns <= after.enabled_ns + rounding_ns &&
            between.enabled_ns - between.running_ns == after.enabled_ns - after.running_ns;
    if (right) return;
  }
  for (const perf_event_mmap_page* const page : pages_) system_->unmap(page);
  pages_.clear();
}

CounterGroup::~CounterGroup() {
  for (const perf_event_mmap_page* const page : pages_) system_->unmap(page);
  for (auto one = descriptors_.rbegin(); one != descriptors_.rend(); ++one) system_->close(*one);
}

CounterGroup::CounterGroup(CounterGroup&& other) noexcept
    : system_(other.system_),
      descriptors_(std::exchange(other.descriptors_, {})),
      pages_(std::exchange(other.pages_, {})),
      error_(other.error_) {}

GroupReading CounterGroup::read() const noexcept {
  if (!pages_.empty()) {
    const GroupReading reading = directly();
    if (reading.whole) return reading;
  }
  return read_by_system();
}

GroupReading CounterGroup::directly() const noexcept {
  GroupReading reading;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const Shown now = shown_by(*pages_[i], *system_);
    if (!now.whole) return reading;
    reading.counts[i] = now.count;
    if (i > 0) continue;
    reading.enabled_ns = now.enabled_ns;
    reading.running_ns = now.running_ns;
  }
  reading.whole = true;
  return reading;
}

GroupReading CounterGroup::read_by_system() const noexcept {
  GroupReading reading;
  if (error_ != 0 || descriptors_.empty()) return reading;
  std::array<std::uint64_t, head_words + counted_events> words{};
  const std::size_t expected = head_words + descriptors_.size();
  // Nothing is read of a pinned group that found no place on the counters.
  if (system_->read(descriptors_.front(), std::span(words).first(expected)) != static_cast<long>(expected)) {
    return reading;
  }
  reading.whole = words[0] == descriptors_.size();
  reading.enabled_ns = words[1];
  reading.running_ns = words[2];
  std::copy_n(words.begin() + head_words, descriptors_.size(), reading.counts.begin());
  return reading;
}

OfferedEvents offered_events(PerfSystem& system, std::span<const CoreEvent> wished) {
  constexpr std::size_t needed = 2;
  OfferedEvents offered{{wished.begin(), wished.end()}, 0};
  for (;;) {
    const CounterGroup group(system, plain(offered.events), {});
    const int error = group.error();
    if (error == 0) return offered;
    if (denied(error) || error == EMFILE || group.refused() < needed) return {{}, error};
    offered.events.erase(offered.events.begin() + static_cast<std::ptrdiff_t>(group.refused()));
  }
}

std::string refusal_of(int error, const Tree& tree) {
  const std::string file(paranoid);
  if (denied(error)) {
    const auto level = tree.number(file);
    if (!level) return "not permitted: perf_event_open is refused, and " + file + " cannot be read";
    const std::string sentence = "not permitted: " + file + " says " + std::to_string(*level);
    return *level > 2 ? sentence : sentence + ", and a container or a security module refuses perf_event_open";
  }
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP) {
    return "not offered: no counter of instructions; a hypervisor may hide the counters from guests";
  }
  if (error == ENOSYS) return "not offered: this kernel is built without perf_event_open";
  if (error == EMFILE) return "not counted: too many open files; raise the limit of open files (ulimit -n)";
  return "not counted: perf_event_open reports '" + std::string(std::strerror(error)) + "'";
}

std::int64_t add_times(std::int64_t additions) {
  const std::int64_t passes = (additions + 9) / 10;
  if (passes <= 0) return 0;
#if defined(__x86_64__)
  std::int64_t left = passes, sum = 0;
  asm volatile(
      "1:\n\t"
      ".rept 10\n\taddq $1, %1\n\t.endr\n\t"
      "decq %0\n\t"
      "jnz 1b"
      : "+r"(left), "+r"(sum)
      :
      : "cc");
  return 12 * passes;
#elif defined(__aarch64__)
  std::int64_t left = passes, sum = 0;
  asm volatile(
      "1:\n\t"
      ".rept 10\n\tadd %1, %1, #1\n\t.endr\n\t"
      "subs %0, %0, #1\n\t"
      "b.ne 1b"
      : "+r"(left), "+r"(sum)
      :
      : "cc");
  return 12 * passes;
#else
  return 0;
#endif
}

std::string trial_of_counters(PerfSystem& system, const Tree& tree) {
  constexpr std::int64_t additions = 1'000'000;
  const OfferedEvents offered = offered_events(system, core_events(tree));
  if (offered.error != 0) return refusal_of(offered.error, tree);
  const CounterGroup group(system, plain(offered.events), {});
  const GroupReading before = group.read();
  const std::int64_t expected = add_times(additions);
  const auto counted = counted_between(before, group.read());
  if (!counted) {
    return "not counted: the group of counters was not scheduled all the time; another program uses counters, or "
           "/proc/sys/kernel/nmi_watchdog is 1";
  }
  const std::uint64_t instructions = counted->counts[0];
  if (instructions == 0) {
    return "not counted: the counter of instructions is 0 after " + std::to_string(additions) +
           " additions; a hypervisor may offer counters that do not count";
  }
  if (expected > 0 && std::abs(static_cast<double>(instructions) / static_cast<double>(expected) - 1) > 0.01) {
    return "not counted: a loop of " + std::to_string(expected) + " instructions is counted as " +
           std::to_string(instructions);
  }
  return "";
}

}  // namespace tenken
