// What check.toml says, as constant data. The tables themselves are generated at configure time
// (python/tenken/launch/table.py).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tenken {

enum class ParameterType { integer, real, choice, integers, bytes, flag, path };

struct ParameterSpec {
  std::string_view name;
  ParameterType type;
  std::string_view fallback;  // default, as it would be typed
  double low;
  double high;
  std::string_view choices;  // "a|b|c"
  int length;                // of a list; 0 = any
  std::string_view meaning;
};

enum class Kind { compute, comm, io, wait };

struct SectionSpec {
  std::string_view path;
  Kind kind;
  bool leaf;
  std::string_view by;  // list parameter that the section is repeated over; empty = none
};

struct ValiditySpec {
  std::string_view name;
  double tolerance;  // NaN where it is an expression
  std::string_view source;
  std::string_view expression = {};  // of parameters and named values (base/expression.hpp)
};

struct VariantSpec {
  std::string_view name;
  std::string_view missing;  // why it is not built here; empty = it is
  bool cuda;                 // it runs on a CUDA device
};

// Handles of sections: only leaves carry work, and the type says which is which.
struct Leaf {
  int id;
};
struct Group {
  int id;
};

struct CheckTable {
  std::string_view name;
  std::string_view title;
  std::string_view question;
  std::string_view repetition;
  std::span<const ParameterSpec> parameters;
  std::span<const SectionSpec> sections;
  std::span<const VariantSpec> variants;
  std::span<const std::string_view> faults;
  std::string_view thread_level = "";  // that MPI must offer; empty: by the number of threads
  bool held_to_peak = false;           // a metric's ceiling is flop: the clock under the widest vectors is sampled, too
  bool counters = false;               // --counters is on unless the command line has it off
};

}  // namespace tenken
