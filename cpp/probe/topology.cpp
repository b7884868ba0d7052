// The processor as /proc/cpuinfo names it, and packages, cores, caches and NUMA nodes as /sys tells them.
#include <algorithm>
#include <map>
#include <set>

#include "base/caches.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

const std::string cpu_folder = "/sys/devices/system/cpu";
const std::string node_folder = "/sys/devices/system/node";

struct Core {
  std::optional<std::int64_t> package, id;
  std::optional<int> numa;
  std::vector<int> cpus;
};

std::vector<int> online_cpus(const Tree& tree) {
  auto cpus = tree.cpus(cpu_folder + "/online");
  return cpus.empty() ? tree.numbered(cpu_folder, "cpu") : cpus;
}

std::map<int, int> numa_of_cpu(const Tree& tree) {
  std::map<int, int> numa;
  for (const int node : tree.numbered(node_folder, "node")) {
    for (const int cpu : tree.cpus(node_folder + "/node" + std::to_string(node) + "/cpulist")) numa[cpu] = node;
  }
  return numa;
}

// Cores in the order of their first hardware thread. A CPU whose siblings are not told is a core of its own.
std::vector<Core> read_cores(const Tree& tree) {
  const auto numa = numa_of_cpu(tree);
  std::vector<Core> cores;
  std::set<int> seen;
  for (const int cpu : online_cpus(tree)) {
    if (seen.contains(cpu)) continue;
    const auto folder = cpu_folder + "/cpu" + std::to_string(cpu) + "/topology/";
    Core core;
    core.package = tree.number(folder + "physical_package_id");
    core.id = tree.number(folder + "core_id");
    core.cpus = tree.cpus(folder + "thread_siblings_list");
    if (std::find(core.cpus.begin(), core.cpus.end(), cpu) == core.cpus.end()) core.cpus = {cpu};
    if (const auto found = numa.find(cpu); found != numa.end()) core.numa = found->second;
    seen.insert(core.cpus.begin(), core.cpus.end());
    cores.push_back(std::move(core));
  }
  return cores;
}

void write_cores(Json& json, const std::vector<Core>& cores) {
  json.key("cores").begin_array();
  for (const auto& core : cores) {
    json.begin_object();
    field(json, "package", core.package);
    field(json, "numa", core.numa);
    field(json, "id", core.id);
    list(json, "cpus", core.cpus);
    json.end_object();
  }
  json.end_array();
}

void write_caches(Json& json, const std::vector<Cache>& caches) {
  json.key("caches").begin_array();
  for (const auto& cache : caches) {
    json.begin_object();
    json.field("level", cache.level).field("type", cache.type);
    field(json, "bytes", cache.bytes);
    field(json, "line_bytes", cache.line);
    field(json, "ways", cache.ways);
    list(json, "cpus", cache.cpus);
    json.end_object();
  }
  json.end_array();
}

void write_numa(Json& json, const Tree& tree) {
  json.key("numa").begin_array();
  for (const int node : tree.numbered(node_folder, "node")) {
    const auto folder = node_folder + "/node" + std::to_string(node);
    const auto memory = [&](std::string_view what) -> std::optional<std::int64_t> {
      const auto key = "Node " + std::to_string(node) + " " + std::string(what);
      const auto text = value_of(tree.lines(folder + "/meminfo"), key, ':');
      const auto kib = text ? parse_number(*text) : std::nullopt;
      if (!kib) return std::nullopt;
      return *kib * 1024;
    };
    std::vector<std::int64_t> distances;
    for (const auto& part : split(tree.text(folder + "/distance").value_or(""), ' ')) {
      distances.push_back(parse_number(part).value_or(0));
    }
    json.begin_object().field("id", node);
    list(json, "cpus", tree.cpus(folder + "/cpulist"));
    field(json, "memory_bytes", memory("MemTotal"));
    field(json, "free_bytes", memory("MemFree"));
    list(json, "distances", distances);
    json.end_object();
  }
  json.end_array();
}

// Cores of several kinds in one node, as the kernel's counters name them.
void write_kinds(Json& json, const Tree& tree) {
  json.key("kinds").begin_array();
  for (const std::string kind : {"cpu_core", "cpu_atom"}) {
    const auto cpus = tree.cpus("/sys/devices/" + kind + "/cpus");
    if (cpus.empty()) continue;
    json.begin_object().field("name", kind);
    list(json, "cpus", cpus);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::vector<int> usable_cpus(const Tree& tree) {
  const auto online = online_cpus(tree);
  const auto allowed = value_of(tree.lines("/proc/self/status"), "Cpus_allowed_list", ':');
  if (!allowed) return online;
  const auto may = parse_cpus(*allowed);
  std::vector<int> usable;
  std::set_intersection(online.begin(), online.end(), may.begin(), may.end(), std::back_inserter(usable));
  return usable;
}

std::vector<int> one_cpu_a_core(const Tree& tree) {
  const auto usable = usable_cpus(tree);
  std::vector<int> first;
  for (const auto& core : read_cores(tree)) {
    const auto found = std::find_first_of(core.cpus.begin(), core.cpus.end(), usable.begin(), usable.end());
    if (found != core.cpus.end()) first.push_back(*found);
  }
  return first;
}

namespace {

// The name of a design where the kernel gives one apart from the model: RISC-V's uarch, the machine type of s390
// ("processor 0: version = FF, ..., machine = 3931").
std::optional<std::string> design(const std::vector<std::string>& lines) {
  if (auto value = value_of(lines, "uarch", ':')) return value;
  const auto first = value_of(lines, "processor 0", ':');
  for (const auto& part : split(first.value_or(""), ',')) {
    if (auto value = value_of({part}, "machine", '=')) return "s390 machine " + *value;
  }
  return std::nullopt;
}

// "IMPLEMENTER:PART" of each kind of Arm core, in hexadecimal, in the order of the processors.
std::vector<std::string> arm_parts(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  std::string implementer;
  for (const auto& line : lines) {
    if (auto value = value_of({line}, "CPU implementer", ':')) implementer = *value;
    const auto part = value_of({line}, "CPU part", ':');
    if (!part || implementer.empty()) continue;
    const std::string both = implementer + ":" + *part;
    if (std::find(found.begin(), found.end(), both) == found.end()) found.push_back(both);
  }
  return found;
}

}  // namespace

void write_cpu(Json& json, const Tree& tree) {
  const auto lines = tree.lines("/proc/cpuinfo");
  const auto told = [&](std::initializer_list<std::string_view> keys) -> std::optional<std::string> {
    for (const auto key : keys) {
      if (auto value = value_of(lines, key, ':')) return value;
    }
    return std::nullopt;
  };
  const auto number = [&](std::string_view key, int base = 10) -> std::optional<std::int64_t> {
    const auto value = told({key});
    return value ? parse_number(*value, base) : std::nullopt;
  };
  json.key("cpu").begin_object();
  field(json, "vendor", told({"vendor_id"}));
  field(json, "model_name", told({"model name", "Model Name", "cpu model", "cpu", "Processor"}));
  field(json, "family", number("cpu family"));
  field(json, "model", number("model"));
  field(json, "stepping", number("stepping"));
  field(json, "microcode", told({"microcode"}));
  field(json, "implementer", number("CPU implementer", 16));
  field(json, "part", number("CPU part", 16));
  field(json, "variant", number("CPU variant", 16));
  field(json, "revision", number("CPU revision"));
  field(json, "design", design(lines));
  list(json, "parts", arm_parts(lines));
  list(json, "flags", split(told({"flags", "Features"}).value_or(""), ' '));
  json.end_object();
}

void write_topology(Json& json, const Tree& tree) {
  json.key("topology").begin_object();
  write_cores(json, read_cores(tree));
  list(json, "online", online_cpus(tree));
  list(json, "usable", usable_cpus(tree));
  write_kinds(json, tree);
  write_caches(json, read_caches(tree, online_cpus(tree)));
  write_numa(json, tree);
  field(json, "smt", tree.text(cpu_folder + "/smt/control"));
  json.end_object();
}

}  // namespace tenken
