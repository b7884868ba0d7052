// What this process may use (control groups, resource limits) and what else runs on the node now.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <thread>

#include "base/control_group.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

void keep_least(std::optional<double>& least, std::optional<double> value) {
  if (value && (!least || *value < *least)) least = value;
}

std::optional<double> cpu_quota(const Tree& tree) {
  std::optional<double> cores;
  for (const auto& folder : with_parents("/sys/fs/cgroup", group_of(tree, "").value_or("/"))) {
    const auto parts = split(tree.text(folder + "/cpu.max").value_or(""), ' ');  // "max 100000" or "50000 100000"
    const auto quota = parts.size() == 2 ? parse_number(parts[0]) : std::nullopt;
    const auto period = parts.size() == 2 ? parse_number(parts[1]) : std::nullopt;
    if (quota && period && *period > 0) keep_least(cores, static_cast<double>(*quota) / static_cast<double>(*period));
  }
  for (const std::string mount : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}) {
    for (const auto& folder : with_parents(mount, group_of(tree, "cpu").value_or("/"))) {
      const auto quota = tree.number(folder + "/cpu.cfs_quota_us"), period = tree.number(folder + "/cpu.cfs_period_us");
      if (quota && period && *quota > 0 && *period > 0) {
        keep_least(cores, static_cast<double>(*quota) / static_cast<double>(*period));
      }
    }
  }
  return cores;
}

// Soft limits of /proc/self/limits; "unlimited" is -1.
void write_resource_limits(Json& json, const Tree& tree) {
  const std::map<std::string, std::string> names = {{"Max stack size", "stack_bytes"},
                                                    {"Max locked memory", "locked_memory_bytes"},
                                                    {"Max address space", "address_space_bytes"},
                                                    {"Max open files", "open_files"},
                                                    {"Max processes", "processes"},
                                                    {"Max core file size", "core_file_bytes"}};
  const auto lines = tree.lines("/proc/self/limits");
  for (const auto& [title, name] : names) {
    std::optional<std::int64_t> limit;
    for (const auto& line : lines) {
      if (!line.starts_with(title)) continue;
      const auto soft = trimmed(std::string_view(line).substr(title.size()));
      limit = soft.starts_with("unlimited") ? std::optional<std::int64_t>(-1) : parse_number(soft);
    }
    field(json, name, limit);
  }
}

struct CpuTime {
  std::int64_t all = 0, idle = 0, steal = 0;  // ticks since boot
};

CpuTime cpu_time(const Tree& tree, const std::vector<int>& cpus) {
  CpuTime sum;
  for (const auto& line : tree.lines("/proc/stat")) {  // cpu3 user nice system idle iowait irq softirq steal …
    const auto parts = split(line, ' ');
    if (parts.size() < 9 || !parts[0].starts_with("cpu")) continue;
    const auto cpu = parse_number(std::string_view(parts[0]).substr(3));
    if (!cpu || std::find(cpus.begin(), cpus.end(), static_cast<int>(*cpu)) == cpus.end()) continue;
    for (std::size_t i = 1; i <= 8; ++i) sum.all += parse_number(parts[i]).value_or(0);
    sum.idle += parse_number(parts[4]).value_or(0) + parse_number(parts[5]).value_or(0);
    sum.steal += parse_number(parts[8]).value_or(0);
  }
  return sum;
}

// How busy others keep the usable CPUs while this process sleeps, and how much of them the hypervisor takes away.
void write_busy(Json& json, const Tree& tree) {
  std::optional<double> busy, steal;
  if (tree.live()) {
    const auto cpus = usable_cpus(tree);
    const auto before = cpu_time(tree, cpus);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto after = cpu_time(tree, cpus);
    const auto all = static_cast<double>(after.all - before.all);
    if (all > 0) {
      busy = 1.0 - static_cast<double>(after.idle - before.idle) / all;
      steal = static_cast<double>(after.steal - before.steal) / all;
    }
  }
  field(json, "busy", busy);
  field(json, "steal", steal);
}

// Processes that can run at this moment, and those of other people.
void write_processes(Json& json, const Tree& tree) {
  constexpr std::int64_t first_person = 1000;  // user numbers below are the system's own
  const auto self = tree.live() ? std::optional<std::int64_t>(getpid()) : std::nullopt;
  const auto me = tree.live() ? static_cast<std::int64_t>(getuid()) : -1;
  std::map<std::int64_t, int> people;
  constexpr std::size_t most_listed = 20;
  std::vector<std::pair<std::string, std::int64_t>> running;
  for (const int process : tree.numbered("/proc", "")) {
    if (process == self) continue;
    const auto lines = tree.lines("/proc/" + std::to_string(process) + "/status");
    const auto user = parse_number(value_of(lines, "Uid", ':').value_or(""));
    if (!user) continue;
    if (*user >= first_person && *user != me) ++people[*user];
    if (value_of(lines, "State", ':').value_or("").starts_with("R") && running.size() < most_listed) {
      running.emplace_back(value_of(lines, "Name", ':').value_or("?"), *user);
    }
  }
  json.key("running").begin_array();
  for (const auto& [name, user] : running) json.begin_object().field("name", name).field("user", user).end_object();
  json.end_array();
  json.field("other_users", people.size());
  json.field("other_users_processes",
             std::accumulate(people.begin(), people.end(), 0, [](int n, const auto& p) { return n + p.second; }));
}

}  // namespace

void write_limits(Json& json, const Tree& tree) {
  const auto memory_nodes = value_of(tree.lines("/proc/self/status"), "Mems_allowed_list", ':');
  json.key("limits").begin_object();
  field(json, "cpu_quota_cores", cpu_quota(tree));
  field(json, "memory_limit_bytes", memory_limit(tree));
  list(json, "memory_nodes", parse_cpus(memory_nodes.value_or("")));
  write_resource_limits(json, tree);
  json.end_object();
}

void write_load(Json& json, const Tree& tree) {
  const auto parts = split(tree.text("/proc/loadavg").value_or(""), ' ');
  json.key("load").begin_object();
  json.key("average").begin_array();  // over 1, 5 and 15 minutes
  for (std::size_t i = 0; i < 3 && parts.size() >= 3; ++i) json.value(std::strtod(parts[i].c_str(), nullptr));
  json.end_array();
  write_busy(json, tree);
  write_processes(json, tree);
  json.end_object();
}

}  // namespace tenken
