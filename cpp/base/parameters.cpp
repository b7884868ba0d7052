#include "base/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace tenken {

namespace {

constexpr std::array<ParameterSpec, 15> generic = {{
    {"variant", ParameterType::choice, "", 0, 0, "", 0, "implementation of the kernel"},
    {"threads", ParameterType::integer, "1", 1, 65536, "", 0, "OpenMP threads of each rank"},
    {"fault", ParameterType::choice, "none", 0, 0, "", 0, "known fault to inject, for tests and drills"},
    {"placement", ParameterType::choice, "compact", 0, 0, "compact|scatter|one_socket|skip_first|none", 0,
     "which cores the threads are bound to; none leaves them to the system"},
    {"reserve", ParameterType::integer, "0", 0, 65536, "", 0, "cores of each node left free"},
    {"membind", ParameterType::choice, "", 0, 0, "", 0,
     "memory that pages come from: local, a memory node, or main, fast, slow"},
    {"rank_map", ParameterType::path, "", 0, 0, "", 0,
     "which rank goes where: row, reversed, a box such as 4x2, or a file, a rank a line"},
    {"thread_level", ParameterType::choice, "", 0, 0, "single|funneled|serialized|multiple", 0,
     "thread level that MPI must offer"},
    {"routes", ParameterType::path, "", 0, 0, "", 0,
     "measured table of routes by which packed messages go; none: messages of MPI"},
    {"counters", ParameterType::choice, "off", 0, 0, "on|off", 0,
     "counters of the processor around every sample: instructions, cycles, misses"},
    {"repetitions", ParameterType::integer, "0", 0, 10000000, "", 0,
     "timed repetitions; 0 = as many as fit into --seconds"},
    {"seconds", ParameterType::real, "1", 0.001, 86400, "", 0, "length of the timed part"},
    {"record", ParameterType::choice, "", 0, 0, "", 0, "file to write the record to"},
    {"pages", ParameterType::choice, "", 0, 0, "", 0, "folder for the sample pages of the ranks"},
    {"launch", ParameterType::choice, "", 0, 0, "", 0, "id of the launch, written into record and pages"},
}};

constexpr std::array<std::string_view, 4> generic_faults = {"none", "crash", "hang", "delay"};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    if (text.empty()) parts.emplace_back();
  }
  return parts;
}

template <class Names>
std::string joined(const Names& names) {
  std::string all;
  for (const auto& name : names) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

void require_choice(std::string_view parameter, const std::string& value, const std::vector<std::string>& valid) {
  if (std::find(valid.begin(), valid.end(), value) == valid.end()) {
    refuse("--" + std::string(parameter) + " '" + value + "' is not known; valid are " + joined(valid));
  }
}

// The variants that are built, at least one; the first is the default.
std::vector<std::string> built_variants(const CheckTable& table) {
  std::vector<std::string> names;
  for (const VariantSpec& one : table.variants) {
    if (one.missing.empty()) names.emplace_back(one.name);
  }
  return names;
}

void require_variant(const CheckTable& table, const std::string& value) {
  for (const VariantSpec& one : table.variants) {
    if (one.name == value && !one.missing.empty())
      lacking("variant '" + value + "' is not built here: " + std::string(one.missing));
  }
  require_choice("variant", value, built_variants(table));
}

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}

double parse_in_range(const ParameterSpec& spec, std::string_view text) {
  const double number = parse_number(spec.name, text);
  if (spec.type != ParameterType::real && number != std::floor(number)) {
    refuse("--" + std::string(spec.name) + " '" + std::string(text) + "' must be a whole number");
  }
  if (!(number >= spec.low && number <= spec.high)) {
    refuse("--" + std::string(spec.name) + " " + std::string(text) + " is outside " + number_text(spec.low) + " to " +
           number_text(spec.high));
  }
  return number;
}

void validate(const ParameterSpec& spec, const std::string& value) {
  switch (spec.type) {
    case ParameterType::integer:
    case ParameterType::real:
    case ParameterType::bytes:
      parse_in_range(spec, value);
      break;
    case ParameterType::choice:
      if (!spec.choices.empty()) require_choice(spec.name, value, split(spec.choices, '|'));
      break;
    case ParameterType::path:
      break;  // whoever opens it knows what is wrong with it
    case ParameterType::flag:
      require_choice(spec.name, value, {"true", "false"});
      break;
    case ParameterType::integers: {
      const auto parts = split(value, ',');
      if (parts.empty() || (spec.length > 0 && static_cast<int>(parts.size()) != spec.length)) {
        refuse("--" + std::string(spec.name) + " '" + value + "' must be " +
               (spec.length > 0 ? std::to_string(spec.length) + " " : std::string()) +
               "whole numbers with commas between");
      }
      for (const auto& part : parts) parse_in_range(spec, part);
      break;
    }
  }
}

}  // namespace

std::span<const ParameterSpec> generic_parameters() { return generic; }

double parse_number(std::string_view name, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::array<std::pair<std::string_view, double>, 5> units = {
      {{"", 1.0}, {"B", 1.0}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}}};
  const auto* known = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == unit; });
  if (error != std::errc{} || known == units.end()) {
    refuse("--" + std::string(name) + " '" + std::string(text) + "' is not a number (units: KiB, MiB, GiB)");
  }
  return number * known->second;
}

Parameters::Parameters(const CheckTable& table, int argc, const char* const* argv) : table_(&table) {
  for (const auto& spec : generic) values_[std::string(spec.name)] = spec.fallback;
  for (const auto& spec : table.parameters) values_[std::string(spec.name)] = spec.fallback;
  values_["variant"] = built_variants(table).front();
  values_["thread_level"] = table.thread_level;
  values_["counters"] = table.counters ? "on" : "off";
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      help_ = true;
      continue;
    }
    if (!word.starts_with("--"))
      refuse("argument '" + std::string(word) + "' is not understood; parameters start with --");
    word.remove_prefix(2);
    const auto equals = word.find('=');
    if (equals != std::string_view::npos) {
      set(word.substr(0, equals), std::string(word.substr(equals + 1)));
    } else if (i + 1 < argc) {
      set(word, argv[++i]);
    } else {
      set(word, "");  // an unknown name is the more useful complaint
      refuse("--" + std::string(word) + " needs a value");
    }
  }
}

void Parameters::set(std::string_view name, const std::string& value) {
  const auto by_name = [&](const ParameterSpec& spec) { return spec.name == name; };
  const auto own_spec = std::find_if(table_->parameters.begin(), table_->parameters.end(), by_name);
  const auto generic_spec = std::find_if(generic.begin(), generic.end(), by_name);
  if (name == "variant") {
    require_variant(*table_, value);
  } else if (name == "fault") {
    std::vector<std::string> valid(generic_faults.begin(), generic_faults.end());
    valid.insert(valid.end(), table_->faults.begin(), table_->faults.end());
    require_choice(name, value, valid);
  } else if (own_spec != table_->parameters.end()) {
    if (!value.empty()) validate(*own_spec, value);
  } else if (generic_spec != generic.end()) {
    if (!value.empty()) validate(*generic_spec, value);
  } else {
    std::vector<std::string> valid;
    for (const auto& spec : table_->parameters) valid.emplace_back(spec.name);
    for (const auto& spec : generic) valid.emplace_back(spec.name);
    refuse("parameter --" + std::string(name) + " is not known to " + std::string(table_->name) + "; valid are " +
           joined(valid));
  }
  values_[std::string(name)] = value;
  given_.emplace(name);
}

const std::string& Parameters::text(std::string_view name) const { return values_.find(name)->second; }

std::int64_t Parameters::integer(std::string_view name) const {
  return static_cast<std::int64_t>(parse_number(name, text(name)));
}

double Parameters::real(std::string_view name) const { return parse_number(name, text(name)); }

bool Parameters::has(std::string_view name) const { return values_.contains(name); }
bool Parameters::given(std::string_view name) const { return given_.contains(name); }

bool Parameters::flag(std::string_view name) const { return text(name) == "true"; }

std::vector<std::int64_t> Parameters::integers(std::string_view name) const {
  std::vector<std::int64_t> numbers;
  for (const auto& part : split(text(name), ','))
    numbers.push_back(static_cast<std::int64_t>(parse_number(name, part)));
  return numbers;
}

std::string Parameters::help_text(const CheckTable& table) {
  std::string text = std::string(table.name) + ": " + std::string(table.title) + "\n" + std::string(table.question) +
                     "\nOne repetition is " + std::string(table.repetition) + ".\n\n";
  const auto list = [&](std::span<const ParameterSpec> specs) {
    for (const auto& spec : specs) {
      std::string line = "  --" + std::string(spec.name);
      line.resize(std::max<std::size_t>(line.size() + 1, 20), ' ');
      line += spec.meaning;
      if (!spec.choices.empty()) line += " (" + std::string(spec.choices) + ")";
      const std::string_view fallback = spec.name == "counters" && table.counters ? "on" : spec.fallback;
      if (!fallback.empty()) line += " [" + std::string(fallback) + "]";
      text += line + "\n";
    }
  };
  list(table.parameters);
  text += "\nOf every check:\n";
  list(generic);
  text += "\nvariants: " + joined(built_variants(table)) + "\nfaults:   " + joined(generic_faults) +
          (table.faults.empty() ? "" : ", " + joined(table.faults)) + "\n";
  return text;
}

}  // namespace tenken
