// Firmware, operating system, and counters of errors and throttling.
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sys/utsname.h>

#include "measure/perf_counters.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

const std::string cpu_folder = "/sys/devices/system/cpu";

// The signature a hypervisor shows to its guests ("KVMKVMKVM"); empty on the machine itself.
std::optional<std::string> hypervisor_signature() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & (1U << 31)) == 0) return std::nullopt;
  __cpuid(0x40000000, a, b, c, d);
  std::string name;
  for (const unsigned word : {b, c, d}) {
    for (int byte = 0; byte < 4; ++byte) name += static_cast<char>(word >> (8 * byte));
  }
  return printable(name.substr(0, name.find('\0')));
#else
  return std::nullopt;
#endif
}

std::optional<std::string> hypervisor(const Tree& tree) {
  auto signature = tree.live() ? hypervisor_signature() : std::nullopt;
  if (signature) {
    if (signature->starts_with("KVM")) return "KVM";
    if (signature->starts_with("VMware")) return "VMware";
    if (signature->starts_with("Microsoft")) return "Hyper-V";
    if (signature->starts_with("Xen")) return "Xen";
    if (!signature->empty()) return signature;
  }
  if (auto type = tree.text("/sys/hypervisor/type")) return type;
  const auto flags = value_of(tree.lines("/proc/cpuinfo"), "flags", ':');
  const bool guest = flags && (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
  return guest ? std::optional<std::string>("unnamed hypervisor") : std::nullopt;
}

std::optional<std::string> container(const Tree& tree) {
  if (tree.exists("/.dockerenv")) return "docker";
  if (tree.exists("/run/.containerenv")) return "podman";
  if (tree.exists("/.singularity.d")) return "singularity";
  return std::nullopt;
}

std::optional<std::string> os_name(const Tree& tree) {
  auto name = value_of(tree.lines("/etc/os-release"), "PRETTY_NAME", '=');
  const bool quoted = name && name->size() >= 2 && name->front() == '"' && name->back() == '"';
  return quoted ? name->substr(1, name->size() - 2) : name;
}

std::optional<std::string> architecture(const Tree& tree) {
  if (auto told = tree.text("/proc/sys/kernel/arch")) return told;
  utsname name{};
  if (!tree.live() || uname(&name) != 0) return std::nullopt;
  return std::string(name.machine);
}

// Whether a program may count instructions and the like on this node; "" where it may, null where it was not tried.
void write_events(Json& json, const Tree& tree) {
  json.key("events_problem");
  tree.live() ? json.value(trial_of_counters(perf_system(), tree)) : json.null();
}

}  // namespace

void write_firmware(Json& json, const Tree& tree) {
  const std::string dmi = "/sys/class/dmi/id/";
  json.key("firmware").begin_object();
  for (const std::string what :
       {"sys_vendor", "product_name", "board_vendor", "board_name", "bios_vendor", "bios_version", "bios_date"}) {
    field(json, what, tree.text(dmi + what));
  }
  field(json, "device_tree", tree.text("/proc/device-tree/model"));
  json.end_object();
}

void write_counters(Json& json, const Tree& tree) {
  const std::string edac = "/sys/devices/system/edac/mc";
  json.key("counters").begin_object();
  json.key("memory_controllers").begin_array();
  for (const int controller : tree.numbered(edac, "mc")) {
    const auto at = edac + "/mc" + std::to_string(controller) + "/";
    json.begin_object().field("id", controller);
    field(json, "name", tree.text(at + "mc_name"));
    field(json, "corrected", tree.number(at + "ce_count"));
    field(json, "uncorrected", tree.number(at + "ue_count"));
    json.end_object();
  }
  json.end_array();
  json.key("throttled").begin_array();  // CPUs that have been slowed down since boot
  std::optional<std::int64_t> readable;
  for (const int cpu : tree.numbered(cpu_folder, "cpu")) {
    const auto at = cpu_folder + "/cpu" + std::to_string(cpu) + "/thermal_throttle/";
    const auto core = tree.number(at + "core_throttle_count"), package = tree.number(at + "package_throttle_count");
    if (core || package) readable = readable.value_or(0) + 1;
    if (core.value_or(0) == 0 && package.value_or(0) == 0) continue;
    json.begin_object().field("cpu", cpu);
    field(json, "core", core);
    field(json, "package", package);
    json.end_object();
  }
  json.end_array();
  field(json, "throttle_counters", readable);  // how many CPUs have such counters; null for none
  write_events(json, tree);
  json.end_object();
}

void write_os(Json& json, const Tree& tree) {
  const std::string vulnerabilities = cpu_folder + "/vulnerabilities";
  json.key("os").begin_object();
  field(json, "name", os_name(tree));
  field(json, "kernel", tree.text("/proc/sys/kernel/osrelease"));
  field(json, "architecture", architecture(tree));
  field(json, "command_line", tree.text("/proc/cmdline"));
  field(json, "hypervisor", hypervisor(tree));
  field(json, "container", container(tree));
  field(json, "clock_source", tree.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  field(json, "numa_balancing", tree.number("/proc/sys/kernel/numa_balancing"));
  field(json, "perf_event_paranoid", tree.number("/proc/sys/kernel/perf_event_paranoid"));
  list(json, "isolated", tree.cpus(cpu_folder + "/isolated"));
  json.key("mitigations").begin_object();
  for (const auto& name : tree.names(vulnerabilities)) {
    field(json, printable(name), tree.text(vulnerabilities + "/" + name));
  }
  json.end_object();
  json.end_object();
}

}  // namespace tenken
