#include "measure/trust.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "measure/clock.hpp"

namespace tenken {

namespace {

// Second word of schedstat: nanoseconds that the task was runnable and waited
// (Documentation/scheduler/sched-stats.rst).
Count run_queue_wait(const Tree& tree, pid_t task) {
  std::ifstream file = tree.open("/proc/self/task/" + std::to_string(task) + "/schedstat");
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  if (file >> ran >> waited) return waited;
  return std::nullopt;
}

// Eighth figure of a processor's line in /proc/stat, in USER_HZ (proc(5)).
std::vector<Count> steal_of(const Tree& tree, const std::vector<int>& cpus) {
  std::vector<Count> steal(cpus.size());
  const std::int64_t ns_per_jiffy = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  std::ifstream file = tree.open("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (!name.starts_with("cpu")) break;
    std::int64_t figure = 0;
    for (int i = 0; i < 8; ++i) words >> figure;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      if (words && name == "cpu" + std::to_string(cpus[i])) steal[i] = figure * ns_per_jiffy;
    }
  }
  return steal;
}

Count keyed_number(const Tree& tree, const std::string& path, const std::string& key) {
  std::ifstream file = tree.open(path);
  std::string name;
  for (std::int64_t number = 0; file >> name >> number;) {
    if (name == key) return number;
  }
  return std::nullopt;
}

// The most that a control group and those above it tell: the quota of each of them holds its tasks back.
Count most_of_groups(const Tree& tree, const std::string& root, std::string path, const std::string& key) {
  Count most;
  for (;;) {
    if (const Count told = keyed_number(tree, root + path + "/cpu.stat", key)) most = std::max(most.value_or(0), *told);
    if (path.empty()) return most;
    path.resize(std::min(path.rfind('/'), path.size() - 1));
  }
}

// Time that CPU quotas held the tasks of the control group back: version 2 counts in microseconds, version 1 in
// nanoseconds.
Count throttled(const Tree& tree) {
  std::ifstream groups = tree.open("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      if (const Count us = most_of_groups(tree, "/sys/fs/cgroup", path, "throttled_usec")) return *us * 1000;
    } else if (("," + controllers + ",").find(",cpu,") !=
               std::string::npos) {  // "cpu,cpuacct", but not "cpuacct" alone
      for (const std::string& root : {"/sys/fs/cgroup/" + controllers, std::string("/sys/fs/cgroup/cpu")}) {
        if (const Count ns = most_of_groups(tree, root, path, "throttled_time")) return ns;
      }
    }
  }
  return std::nullopt;
}

Count difference(Count begin, Count end) {
  if (!begin || !end) return std::nullopt;
  return std::max<std::int64_t>(*end - *begin, 0);
}

Count worst_difference(const std::vector<Count>& begin, const std::vector<Count>& end) {
  Count worst;
  for (std::size_t i = 0; i < std::min(begin.size(), end.size()); ++i) {
    if (const Count d = difference(begin[i], end[i])) worst = std::max(worst.value_or(0), *d);
  }
  return worst;
}

}  // namespace

TrustSnapshot trust_now(const Placement& placement, int threads, const Tree& tree) {
  TrustSnapshot now;
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto ns = [](const timeval& t) {
      return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_usec * std::int64_t{1000};
    };
    now.cpu_ns = ns(usage.ru_utime) + ns(usage.ru_stime);
    now.involuntary_switches = usage.ru_nivcsw;
    now.major_faults = usage.ru_majflt;
  }
  for (const pid_t task : placement.tasks) now.run_queue_wait_ns.push_back(run_queue_wait(tree, task));
  now.steal_ns = steal_of(tree, placement.cpus);
  now.throttled_ns = throttled(tree);
  now.processors = processors_now(threads);
  now.wall_ns = monotonic_ns();
  return now;
}

Trust between(const TrustSnapshot& begin, const TrustSnapshot& end, const Placement& placement) {
  Trust trust;
  trust.wall_ns = end.wall_ns - begin.wall_ns;
  trust.cpu_ns = difference(begin.cpu_ns, end.cpu_ns);
  trust.run_queue_wait_ns = worst_difference(begin.run_queue_wait_ns, end.run_queue_wait_ns);
  trust.steal_ns = worst_difference(begin.steal_ns, end.steal_ns);
  trust.throttled_ns = difference(begin.throttled_ns, end.throttled_ns);
  trust.involuntary_switches = difference(begin.involuntary_switches, end.involuntary_switches);
  trust.major_faults = difference(begin.major_faults, end.major_faults);
  if (placement.bound) {
    std::int64_t moved = 0;
    for (std::size_t i = 0; i < begin.processors.size(); ++i) {
      if (begin.processors[i] != placement.cpus[i] || end.processors[i] != placement.cpus[i]) ++moved;
    }
    trust.migrations = moved;
  }
  return trust;
}

}  // namespace tenken
