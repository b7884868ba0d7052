// Memory of the node and the page sizes that a program can get.
#include <unistd.h>

#include <algorithm>

#include "base/control_group.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

// "always [madvise] never" -> "madvise"
std::optional<std::string> chosen(const std::optional<std::string>& choices) {
  if (!choices) return std::nullopt;
  const auto open = choices->find('['), close = choices->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  return choices->substr(open + 1, close - open - 1);
}

}  // namespace

void write_memory(Json& json, const Tree& tree) {
  const auto lines = tree.lines("/proc/meminfo");
  const auto bytes = [&](std::string_view key) -> std::optional<std::int64_t> {
    const auto text = value_of(lines, key, ':');
    const auto kib = text ? parse_number(*text) : std::nullopt;
    if (!kib) return std::nullopt;
    return *kib * 1024;
  };
  const std::string thp = "/sys/kernel/mm/transparent_hugepage/";
  const std::string pools = "/sys/kernel/mm/hugepages";
  json.key("memory").begin_object();
  field(json, "total_bytes", bytes("MemTotal"));
  auto available = bytes("MemAvailable");
  const auto left = memory_left(tree);
  if (available && left) available = std::min(*available, *left);
  field(json, "available_bytes", available);
  field(json, "swap_bytes", bytes("SwapTotal"));
  json.key("page_bytes");
  if (tree.live()) {
    json.value(sysconf(_SC_PAGESIZE));
  } else {
    json.null();
  }
  json.key("transparent_huge_pages").begin_object();
  field(json, "enabled", chosen(tree.text(thp + "enabled")));
  field(json, "defrag", chosen(tree.text(thp + "defrag")));
  field(json, "page_bytes", tree.number(thp + "hpage_pmd_size"));
  json.end_object();
  json.key("huge_pages").begin_array();
  for (const auto& name : tree.names(pools)) {  // hugepages-2048kB
    const auto dash = name.find('-');
    const auto kib = dash == std::string::npos ? std::nullopt : parse_number(std::string_view(name).substr(dash + 1));
    if (!kib) continue;
    json.begin_object().field("page_bytes", *kib * 1024);
    field(json, "total", tree.number(pools + "/" + name + "/nr_hugepages"));
    field(json, "free", tree.number(pools + "/" + name + "/free_hugepages"));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace tenken
