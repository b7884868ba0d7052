// The processor as /proc/cpuinfo names it, and packages, cores, caches and NUMA nodes as /sys tells them.
#include <algorithm>
#include <cctype>
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

std::string of_cpu(int cpu) { return cpu_folder + "/cpu" + std::to_string(cpu); }

std::string of_node(int node) { return node_folder + "/node" + std::to_string(node); }

std::vector<int> online_cpus(const Tree& tree) {
  auto cpus = tree.cpus(cpu_folder + "/online");
  if (!cpus.empty()) return cpus;
  cpus = tree.numbered(cpu_folder, "cpu");
  std::erase_if(cpus, [&](int cpu) { return tree.number(of_cpu(cpu) + "/online").value_or(1) == 0; });
  return cpus;
}

std::vector<int> cpus_of_node(const Tree& tree, int node) {
  return tree.cpus_of(of_node(node) + "/cpumap", of_node(node) + "/cpulist");
}

// None where two of them claim one processor: such tables of the firmware are wrong.
std::vector<int> numa_nodes(const Tree& tree) {
  std::set<int> seen;
  auto nodes = tree.numbered(node_folder, "node");
  for (const int node : nodes) {
    for (const int cpu : cpus_of_node(tree, node)) {
      if (!seen.insert(cpu).second) return {};
    }
  }
  return nodes;
}

std::map<int, int> numa_of_cpu(const Tree& tree) {
  std::map<int, int> numa;
  for (const int node : numa_nodes(tree)) {
    for (const int cpu : cpus_of_node(tree, node)) numa[cpu] = node;
  }
  return numa;
}

std::vector<int> of_topology(const Tree& tree, int cpu, const std::string& name) {
  const auto path = of_cpu(cpu) + "/topology/" + name;
  return tree.cpus_of(path, path + "_list");
}

// The hardware threads of a core. Where the kernel calls two of them siblings that have cores of different numbers, as
// in the modules of AMD's family 21, they share a unit and are no threads of one core.
std::vector<int> threads_of_core(const Tree& tree, int cpu, const std::set<int>& online) {
  const auto id = [&](int one) { return tree.number(of_cpu(one) + "/topology/core_id"); };
  auto cpus = of_topology(tree, cpu, "thread_siblings");
  if (cpus.empty()) cpus = of_topology(tree, cpu, "core_cpus");
  const auto own = id(cpu);
  std::erase_if(cpus, [&](int one) { return !online.contains(one) || id(one) != own; });
  if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) cpus = {cpu};
  return cpus;
}

// The first processor of the package of each. None of those without siblings.
std::map<int, int> packages_by_siblings(const Tree& tree, const std::vector<int>& online) {
  std::map<int, int> first;
  for (const int cpu : online) {
    auto cpus = of_topology(tree, cpu, "core_siblings");
    if (cpus.empty()) cpus = of_topology(tree, cpu, "package_cpus");
    if (!cpus.empty()) first[cpu] = cpus.front();
  }
  return first;
}

// Numbers of packages. Those of the kernel where they tell packages apart as the siblings do. POWER, SPARC and s390
// have no numbers, and those of some large machines count anew on each board: there packages are counted.
std::map<int, std::int64_t> packages(const Tree& tree, const std::vector<int>& online) {
  std::map<int, std::int64_t> numbered, counted;
  for (const int cpu : online) {
    const auto id = tree.number(of_cpu(cpu) + "/topology/physical_package_id");
    if (id && *id >= 0) numbered[cpu] = *id;
  }
  const auto first = packages_by_siblings(tree, online);
  std::set<std::pair<int, std::int64_t>> both;
  std::set<int> firsts;
  std::set<std::int64_t> ids;
  for (const auto& [cpu, one] : first) {
    counted.emplace(cpu, 0);
    firsts.insert(one);
    if (!numbered.contains(cpu)) continue;
    both.emplace(one, numbered[cpu]);
    ids.insert(numbered[cpu]);
  }
  if (first.empty() ||
      (numbered.size() == online.size() && both.size() == firsts.size() && ids.size() == firsts.size()))
    return numbered;
  for (auto& [cpu, number] : counted) number = std::distance(firsts.begin(), firsts.find(first.at(cpu)));
  return counted;
}

// Cores in the order of their first hardware thread. A CPU whose siblings are not told is a core of its own.
std::vector<Core> read_cores(const Tree& tree) {
  const auto numa = numa_of_cpu(tree);
  const auto online = online_cpus(tree);
  const std::set<int> all(online.begin(), online.end());
  const auto package = packages(tree, online);
  std::vector<Core> cores;
  std::set<int> seen;
  for (const int cpu : online) {
    if (seen.contains(cpu)) continue;
    Core core;
    if (const auto found = package.find(cpu); found != package.end()) core.package = found->second;
    core.id = tree.number(of_cpu(cpu) + "/topology/core_id");
    core.cpus = threads_of_core(tree, cpu, all);
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
  for (const int node : numa_nodes(tree)) {
    const auto folder = of_node(node);
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
    list(json, "cpus", cpus_of_node(tree, node));
    field(json, "memory_bytes", memory("MemTotal"));
    field(json, "free_bytes", memory("MemFree"));
    list(json, "distances", distances);
    json.end_object();
  }
  json.end_array();
}

struct Kind {
  std::string name;
  std::vector<int> cpus;
};

// The kinds of Arm cores: "IMPLEMENTER:PART", in hexadecimal, in the order of the processors.
std::vector<Kind> arm_kinds(const std::vector<std::string>& cpuinfo) {
  std::vector<Kind> found;
  std::string implementer;
  std::optional<std::int64_t> cpu;
  for (const auto& line : cpuinfo) {
    if (const auto value = value_of({line}, "processor", ':')) cpu = parse_number(*value);
    if (auto value = value_of({line}, "CPU implementer", ':')) implementer = *value;
    const auto part = value_of({line}, "CPU part", ':');
    if (!part || implementer.empty()) continue;
    const std::string name = implementer + ":" + *part;
    auto kind = std::find_if(found.begin(), found.end(), [&](const Kind& one) { return one.name == name; });
    if (kind == found.end()) kind = found.insert(found.end(), Kind{name, {}});
    if (cpu) kind->cpus.push_back(static_cast<int>(*cpu));
  }
  return found;
}

// Cores of several kinds in one node: as the kernel's counters name them, else by the parts of Arm.
std::vector<Kind> read_kinds(const Tree& tree) {
  std::vector<Kind> found;
  for (const std::string name : {"cpu_core", "cpu_atom"}) {
    if (auto cpus = tree.cpus("/sys/devices/" + name + "/cpus"); !cpus.empty())
      found.push_back({name, std::move(cpus)});
  }
  if (!found.empty()) return found;
  found = arm_kinds(tree.lines("/proc/cpuinfo"));
  return found.size() > 1 ? found : std::vector<Kind>{};
}

void write_kinds(Json& json, const Tree& tree) {
  json.key("kinds").begin_array();
  for (const auto& [name, cpus] : read_kinds(tree)) {
    json.begin_object().field("name", name);
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

// The machine type of s390: "processor 0: version = FF, ..., machine = 3931" for the first processor that is online.
std::optional<std::string> machine_type(const std::vector<std::string>& lines) {
  const auto of_processor = [](const std::string& line) {
    const auto colon = line.find(':');
    const bool named = line.starts_with("processor ") && colon != std::string::npos && colon > 10;
    return named && std::all_of(line.begin() + 10, line.begin() + static_cast<std::ptrdiff_t>(colon),
                                [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  const auto first = std::find_if(lines.begin(), lines.end(), of_processor);
  if (first == lines.end()) return std::nullopt;
  for (const auto& part : split(first->substr(first->find(':') + 1), ',')) {
    if (auto value = value_of({part}, "machine", '=')) return value;
  }
  return std::nullopt;
}

// The name of a design where the kernel gives one apart from the model: RISC-V's uarch, else its vendor and
// architecture, the machine type of s390.
std::optional<std::string> design(const std::vector<std::string>& lines) {
  if (auto machine = machine_type(lines)) return "s390 machine " + *machine;
  if (auto value = value_of(lines, "uarch", ':')) return value;
  std::string numbers;
  for (const char* key : {"mvendorid", "marchid"}) {
    if (auto value = value_of(lines, key, ':')) numbers += " " + *value;
  }
  if (numbers.empty()) return std::nullopt;
  return "risc-v" + numbers;
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
  std::vector<std::string> parts;
  for (const auto& kind : arm_kinds(lines)) parts.push_back(kind.name);
  list(json, "parts", parts);
  field(json, "sve_bytes", tree.number("/proc/sys/abi/sve_default_vector_length"));
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
