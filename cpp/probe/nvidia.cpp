#include "probe/nvidia.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/card_reasons.hpp"
#include "base/tree.hpp"

namespace tenken {

namespace {

// Fields in groups: a driver that lacks one field of a query answers none of it.
constexpr const char* queries[][2] = {
    {"query-gpu", "pci.bus_id,name,driver_version,memory.total"},
    {"query-gpu",
     "pci.bus_id,compute_mode,memory.used,utilization.gpu,clocks.max.sm,clocks.max.memory,power.limit,power.default_"
     "limit"},
    {"query-gpu",
     "pci.bus_id,ecc.mode.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total,"
     "ecc.errors.uncorrected.aggregate.total,retired_pages.pending"},
    {"query-gpu", "pci.bus_id,mig.mode.current"},
    {"query-gpu", "pci.bus_id,clocks_throttle_reasons.active"},
    {"query-gpu", "pci.bus_id,clocks_event_reasons.active"},  // its name of today
    {"query-remapped-rows", "gpu_bus_id,remapped_rows.pending,remapped_rows.failure"},
};

std::string command() {
  std::string text = "command -v nvidia-smi >/dev/null 2>&1 || exit 0\n";
  bool first = true;
  for (const auto& [option, fields] : queries) {
    text += std::string("echo '?") + fields + "'\ntimeout 10 nvidia-smi --" + option + "=" + fields +
            " --format=csv,noheader,nounits 2>/dev/null" + (first ? " || exit 0" : "") + "\n";
    first = false;
  }
  return text;
}

// 00000000:3B:00.0 -> 0000:3b:00.0; empty for other text.
std::string address_of(const std::string& text) {
  if ((text.size() != 12 && text.size() != 16) || text.find(' ') != std::string::npos) return "";
  std::string address = text.substr(text.size() - 12);
  if (address[4] != ':' || address[7] != ':' || address[10] != '.') return "";
  for (char& c : address) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return address;
}

}  // namespace

void NvidiaCard::set(const std::string& field, const std::string& value) {
  if (value.empty() || value[0] == '[' || value == "N/A" || value == "ERR!") return;
  fields_[field] = value;
}

std::optional<std::string> NvidiaCard::text(const std::string& field) const {
  const auto at = fields_.find(field);
  return at == fields_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<double> NvidiaCard::number(const std::string& field) const {
  const auto value = text(field);
  if (!value) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(value->c_str(), &end);
  return end == value->c_str() ? std::nullopt : std::optional(number);
}

std::optional<bool> NvidiaCard::yes(const std::string& field) const {
  const auto value = text(field);
  if (!value) return std::nullopt;
  if (*value == "Yes" || *value == "Enabled") return true;
  if (*value == "No" || *value == "Disabled") return false;
  const auto count = number(field);
  return count ? std::optional(*count != 0) : std::nullopt;
}

void NvidiaCard::write_state(Json& json) const {
  json.key("state");
  if (!text("compute_mode")) {
    json.null();
    return;
  }
  const auto scaled = [this](const char* name, double scale) {
    const auto value = number(name);
    return value ? std::optional(*value * scale) : std::nullopt;
  };
  const auto count = [this](const char* name) {
    const auto value = number(name);
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  };
  const auto used = count("memory.used");
  const auto pages = yes("retired_pages.pending"), rows = yes("remapped_rows.pending");
  auto reasons = text("clocks_throttle_reasons.active");
  if (!reasons) reasons = text("clocks_event_reasons.active");
  const auto bits = reasons ? parse_number(*reasons, 16) : std::nullopt;
  json.begin_object();
  field(json, "compute_mode", text("compute_mode"));
  field(json, "partitioned", yes("mig.mode.current"));
  field(json, "memory_used_bytes", used ? std::optional(*used << 20) : std::nullopt);
  field(json, "utilization", scaled("utilization.gpu", 0.01));
  field(json, "max_hz", scaled("clocks.max.sm", 1e6));
  field(json, "max_memory_hz", scaled("clocks.max.memory", 1e6));
  field(json, "power_limit_w", number("power.limit"));
  field(json, "power_default_w", number("power.default_limit"));
  field(json, "slowed_by", bits ? std::optional(gpu::reason_words(static_cast<std::uint64_t>(*bits))) : std::nullopt);
  field(json, "ecc", yes("ecc.mode.current"));
  field(json, "corrected_errors", count("ecc.errors.corrected.volatile.total"));
  field(json, "uncorrected_errors", count("ecc.errors.uncorrected.volatile.total"));
  field(json, "uncorrected_errors_ever", count("ecc.errors.uncorrected.aggregate.total"));
  field(json, "repair_pending",
        pages || rows ? std::optional(pages.value_or(false) || rows.value_or(false)) : std::nullopt);
  field(json, "repair_failed", yes("remapped_rows.failure"));
  json.end_object();
}

NvidiaCards parse_nvidia(std::string_view text) {
  NvidiaCards cards;
  std::vector<std::string> fields;
  for (const std::string& line : split(text, '\n')) {
    if (line[0] == '?') {
      fields = split(line.substr(1), ',');
      continue;
    }
    const auto values = split(line, ',');
    if (fields.empty() || values.size() != fields.size()) continue;
    const std::string address = address_of(values[0]);
    if (address.empty()) continue;
    for (std::size_t i = 1; i < fields.size(); ++i) cards[address].set(fields[i], printable(values[i]));
  }
  return cards;
}

NvidiaCards ask_nvidia() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command().c_str(), "r"), pclose);
  std::string text;
  char part[4096];
  while (pipe && text.size() < (std::size_t{1} << 20)) {
    const std::size_t n = std::fread(part, 1, sizeof part, pipe.get());
    if (n == 0) break;
    text.append(part, n);
  }
  return parse_nvidia(text);
}

}  // namespace tenken
