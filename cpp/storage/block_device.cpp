#include "storage/block_device.hpp"

#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tenken::storage {

namespace {

constexpr int deepest = 8;  // a volume on an array on a loop device has 3 levels

// The part of `line` of /proc/self/mountinfo (proc(5)) after "- TYPE ": the source of the mount.
std::string source_of(std::string_view line) {
  constexpr std::string_view mark = " - ";
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return "";
  const auto words = split(line.substr(at + mark.size()), ' ');
  return words.size() > 1 ? words[1] : "";
}

// "sda1" of the file system; empty where /sys has no such device.
std::string block_name(const Tree& tree, std::optional<std::uint64_t> mount, dev_t device) {
  const std::string number = mount ? std::to_string(*mount) + " " : "";
  if (mount) {
    for (const std::string& line : tree.lines("/proc/self/mountinfo")) {
      const std::string source = line.starts_with(number) ? source_of(line) : "";
      if (!source.starts_with("/dev/")) continue;
      const std::string name = tree.link_name(source).value_or(source.substr(source.rfind('/') + 1));
      if (tree.exists("/sys/class/block/" + name)) return name;
    }
  }
  const std::string numbers = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  return tree.link_name("/sys/dev/block/" + numbers).value_or("");
}

bool numbered(std::string_view name, std::string_view kind) {
  return name.starts_with(kind) && name.size() > kind.size() &&
         std::isdigit(static_cast<unsigned char>(name[kind.size()])) != 0;
}

std::optional<HiddenDevice> hidden_below(const Tree& tree, const std::string& name, int level) {
  constexpr std::array<std::string_view, 3> in_memory = {"zram", "ram", "nullb"};
  constexpr std::array<std::string_view, 2> elsewhere = {"loop", "nbd"};
  const auto is = [&](std::string_view kind) { return numbered(name, kind); };
  if (std::ranges::any_of(in_memory, is)) return HiddenDevice{name, true};
  if (std::ranges::any_of(elsewhere, is)) return HiddenDevice{name, false};
  if (level == deepest) return std::nullopt;
  for (const std::string& part : tree.names("/sys/class/block/" + name + "/slaves")) {
    if (auto hidden = hidden_below(tree, part, level + 1)) return hidden;
  }
  return std::nullopt;
}

}  // namespace

std::optional<HiddenDevice> hidden_device(const Tree& tree, std::optional<std::uint64_t> mount, dev_t device) {
  const std::string name = block_name(tree, mount, device);
  return name.empty() ? std::nullopt : hidden_below(tree, name, 0);
}

}  // namespace tenken::storage
