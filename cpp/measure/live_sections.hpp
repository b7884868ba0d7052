// The sections of a launch: those of the table, a repeated section once for each value of its list.
#pragma once

#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "base/table.hpp"
#include "measure/record.hpp"

namespace tenken {

inline std::vector<LiveSection> live_sections(const CheckTable& table, const Parameters& parameters) {
  std::vector<LiveSection> live;
  for (const SectionSpec& spec : table.sections) {
    if (spec.by.empty()) {
      live.push_back({std::string(spec.path), &spec});
      continue;
    }
    for (const std::int64_t at : parameters.integers(spec.by)) {
      live.push_back({std::string(spec.path) + "/" + std::to_string(at), &spec, true, at});
    }
  }
  return live;
}

// Of each section of the table the place of its first in live_sections().
inline std::vector<int> first_slots(const CheckTable& table, const Parameters& parameters) {
  std::vector<int> slots;
  int next = 0;
  for (const SectionSpec& spec : table.sections) {
    slots.push_back(next);
    next += spec.by.empty() ? 1 : static_cast<int>(parameters.integers(spec.by).size());
  }
  return slots;
}

inline std::vector<std::string> paths_of(const std::vector<LiveSection>& sections) {
  std::vector<std::string> paths;
  for (const LiveSection& section : sections) paths.push_back(section.path);
  return paths;
}

}  // namespace tenken
