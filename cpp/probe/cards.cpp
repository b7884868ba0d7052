// Cards on the PCI bus, GPUs and network interfaces among them, their links, and where their interrupts go.
#include <map>

#include "probe/nvidia.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

void write_link(Json& json, const Tree& tree, const std::string& device) {
  json.key("pcie").begin_object();
  field(json, "speed", tree.text(device + "/current_link_speed"));
  field(json, "width", tree.number(device + "/current_link_width"));
  field(json, "max_speed", tree.text(device + "/max_link_speed"));
  field(json, "max_width", tree.number(device + "/max_link_width"));
  json.end_object();
}

// -1 is the kernel's word for "not told".
std::optional<std::int64_t> numa_node(const Tree& tree, const std::string& device) {
  const auto node = tree.number(device + "/numa_node");
  return node && *node >= 0 ? node : std::nullopt;
}

std::optional<std::string> driver_version(const Tree& tree, const std::optional<std::string>& driver) {
  return driver ? tree.text("/sys/module/" + *driver + "/version") : std::nullopt;
}

std::optional<std::string> accelerator_vendor(const Tree& tree, const std::string& device) {
  const auto kind = parse_number(tree.text(device + "/class").value_or(""), 16);
  if (!kind || ((*kind >> 16) != 0x03 && (*kind >> 16) != 0x12)) return std::nullopt;  // display, accelerator
  switch (parse_number(tree.text(device + "/vendor").value_or(""), 16).value_or(0)) {
    case 0x10de:
      return "NVIDIA";
    case 0x1002:
      return "AMD";
    case 0x8086:
      return "Intel";
    default:
      return std::nullopt;  // the display chip of a management controller
  }
}

void write_interrupts(Json& json, const Tree& tree, const std::string& device) {
  json.key("interrupts").begin_array();
  for (const auto& name : tree.names(device + "/msi_irqs")) {
    const auto irq = parse_number(name);
    if (!irq) continue;
    const auto folder = "/proc/irq/" + std::to_string(*irq);
    auto cpus = tree.cpus(folder + "/effective_affinity_list");
    if (cpus.empty()) cpus = tree.cpus(folder + "/smp_affinity_list");
    json.begin_object().field("irq", *irq);
    list(json, "cpus", cpus);
    json.end_object();
  }
  json.end_array();
}

// Counters that count trouble; the many that count traffic are left out.
void write_errors(Json& json, const Tree& tree, const std::string& folder) {
  json.key("errors").begin_object();
  for (const auto& name : tree.names(folder)) {
    const bool trouble = name.find("err") != std::string::npos || name.find("drop") != std::string::npos ||
                         name.find("discard") != std::string::npos || name.find("downed") != std::string::npos ||
                         name.find("recover") != std::string::npos || name == "collisions";
    if (trouble) field(json, printable(name), tree.number(folder + "/" + name));
  }
  json.end_object();
}

void write_device(Json& json, const Tree& tree, const std::string& device) {
  const auto driver = tree.link_name(device + "/driver");
  field(json, "driver", driver);
  field(json, "driver_version", driver_version(tree, driver));
  field(json, "numa", numa_node(tree, device));
  field(json, "pci", tree.link_name(device));
  write_link(json, tree, device);
  write_interrupts(json, tree, device);
}

// Bits per second of "100 Gb/sec (4X EDR)"; what stands in brackets is the width.
void write_rate(Json& json, const std::optional<std::string>& rate) {
  std::optional<double> bits;
  std::optional<std::string> width;
  if (rate) {
    const double gbit = std::strtod(rate->c_str(), nullptr);
    if (gbit > 0) bits = gbit * 1e9;
    const auto open = rate->find('('), close = rate->find(')');
    if (open < close && close != std::string::npos) width = rate->substr(open + 1, close - open - 1);
  }
  field(json, "bits_per_second", bits);
  field(json, "width", width);
}

// "4: ACTIVE" -> "ACTIVE"
std::optional<std::string> after_colon(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto colon = text->find(':');
  return colon == std::string::npos ? *text : trimmed(std::string_view(*text).substr(colon + 1));
}

void write_infiniband(Json& json, const Tree& tree) {
  const std::string all = "/sys/class/infiniband";
  for (const auto& name : tree.names(all)) {
    const auto card = all + "/" + name;
    for (const int port : tree.numbered(card + "/ports", "")) {
      const auto at = card + "/ports/" + std::to_string(port);
      json.begin_object().field("name", printable(name)).field("kind", "infiniband").field("port", port);
      json.field("virtual", false);
      field(json, "protocol", tree.text(at + "/link_layer"));
      field(json, "state", after_colon(tree.text(at + "/state")));
      write_rate(json, tree.text(at + "/rate"));
      field(json, "firmware", tree.text(card + "/fw_ver"));
      field(json, "board", tree.text(card + "/board_id"));
      write_device(json, tree, card + "/device");
      write_errors(json, tree, at + "/counters");
      json.end_object();
    }
  }
}

void write_ethernet(Json& json, const Tree& tree) {
  const std::string all = "/sys/class/net";
  for (const auto& name : tree.names(all)) {
    const auto at = all + "/" + name;
    const bool physical = tree.exists(at + "/device");
    const auto state = tree.text(at + "/operstate");
    if (name == "lo" || (!physical && state != "up")) continue;
    const auto mbit = tree.number(at + "/speed");  // -1 where not known
    json.begin_object().field("name", printable(name)).field("kind", "interface").key("port").null();
    json.field("virtual", !physical).key("protocol").null();
    field(json, "state", state);
    field(json, "bits_per_second", mbit && *mbit > 0 ? std::optional(static_cast<double>(*mbit) * 1e6) : std::nullopt);
    json.key("width").null().key("firmware").null().key("board").null();
    write_device(json, tree, at + "/device");
    write_errors(json, tree, at + "/statistics");
    json.end_object();
  }
}

}  // namespace

void write_gpus(Json& json, const Tree& tree) {
  const std::string bus = "/sys/bus/pci/devices";
  std::map<std::string, std::string> found;  // PCI address, vendor
  for (const auto& address : tree.names(bus)) {
    if (const auto vendor = accelerator_vendor(tree, bus + "/" + address)) found[address] = *vendor;
  }
  const NvidiaCards nvidia = tree.live() ? ask_nvidia() : NvidiaCards{};
  for (const auto& [address, card] : nvidia) found.emplace(address, "NVIDIA");
  json.key("gpus").begin_array();
  for (const auto& [address, vendor] : found) {
    const auto device = bus + "/" + address;
    const auto driver = tree.link_name(device + "/driver");
    const auto asked = nvidia.find(address);
    const NvidiaCard card = asked == nvidia.end() ? NvidiaCard{} : asked->second;
    const auto mib = card.number("memory.total");
    const auto version = card.text("driver_version");
    auto name = value_of(tree.lines("/proc/driver/nvidia/gpus/" + address + "/information"), "Model", ':');
    if (!name) name = card.text("name");
    if (!name) name = tree.text(device + "/product_name");
    json.begin_object().field("pci", printable(address)).field("vendor", vendor);
    field(json, "name", name);
    field(json, "memory_bytes",
          mib ? std::optional(static_cast<std::int64_t>(*mib) << 20) : tree.number(device + "/mem_info_vram_total"));
    field(json, "driver", driver);
    field(json, "driver_version", version ? version : driver_version(tree, driver));
    field(json, "numa", numa_node(tree, device));
    write_link(json, tree, device);
    card.write_state(json);
    json.end_object();
  }
  json.end_array();
}

void write_cards(Json& json, const Tree& tree) {
  const std::string bus = "/sys/bus/pci/devices";
  json.key("cards").begin_array();
  for (const auto& address : tree.names(bus)) {
    const auto device = bus + "/" + address;
    const auto kind = tree.text(device + "/class"), vendor = tree.text(device + "/vendor");
    if (!kind || !vendor || kind->starts_with("0x06")) continue;  // bridges come with the board
    const auto driver = tree.link_name(device + "/driver");
    json.begin_object().field("pci", printable(address)).field("class", *kind);
    json.field("id", *vendor + ":" + tree.text(device + "/device").value_or("?"));
    field(json, "revision", tree.text(device + "/revision"));
    field(json, "driver", driver);
    field(json, "driver_version", driver_version(tree, driver));
    write_link(json, tree, device);
    json.end_object();
  }
  json.end_array();
}

void write_network(Json& json, const Tree& tree) {
  json.key("network").begin_array();
  write_infiniband(json, tree);
  write_ethernet(json, tree);
  json.end_array();
}

}  // namespace tenken
