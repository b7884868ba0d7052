// Command-line parameters of a check program, refused unless the table knows them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/table.hpp"

namespace tenken {

class Parameters {
 public:
  // Parses `--name value` and `--name=value`. Throws UserError naming an unknown parameter with the valid ones, or a
  // value outside its range.
  Parameters(const CheckTable& table, int argc, const char* const* argv);

  std::int64_t integer(std::string_view name) const;                // int and size (bytes)
  double real(std::string_view name) const;                         // float
  const std::string& text(std::string_view name) const;             // choice, path, and any parameter as typed
  std::vector<std::int64_t> integers(std::string_view name) const;  // ints: "8,8,8,16"
  bool flag(std::string_view name) const;
  bool has(std::string_view name) const;    // whether there is such a parameter
  bool given(std::string_view name) const;  // on the command line, be it with the default's value

  bool help() const { return help_; }

  // The check's own parameters (not the generic ones) as name and spec, for the record.
  std::span<const ParameterSpec> own() const { return table_->parameters; }

  // Text for --help.
  static std::string help_text(const CheckTable& table);

 private:
  void set(std::string_view name, const std::string& value);

  const CheckTable* table_;
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> given_;
  bool help_ = false;
};

// Generic parameters that every check has: variant, threads, fault, placement, reserve,
// membind, rank_map, thread_level, routes, counters, repetitions, seconds, record, pages, launch.
std::span<const ParameterSpec> generic_parameters();

// "64", "4KiB", "2MiB", "1GiB" or "1e6" to a number; throws UserError naming `name`.
double parse_number(std::string_view name, std::string_view text);

}  // namespace tenken
