#include "numerics/ordering.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace tenken {

namespace {

using Rows = std::vector<std::int32_t>;

// Rows of group 0, then of group 1, ..., each in the order of `rows`.
Ordering grouped(const Rows& rows, const Rows& group_of, std::int64_t groups) {
  Ordering result{Rows(rows.size()), std::vector<std::int64_t>(static_cast<std::size_t>(groups) + 1)};
  for (const std::int32_t i : rows) ++result.begin[static_cast<std::size_t>(group_of[static_cast<std::size_t>(i)]) + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<std::int64_t> place(result.begin);
  for (const std::int32_t i : rows) {
    const auto at = place[static_cast<std::size_t>(group_of[static_cast<std::size_t>(i)])]++;
    result.order[static_cast<std::size_t>(at)] = i;
  }
  return result;
}

Rows group_of_rows(const Ordering& ordering) {
  Rows group(ordering.order.size());
  for (std::int64_t g = 0; g < ordering.groups(); ++g) {
    for (auto n = ordering.begin[static_cast<std::size_t>(g)]; n < ordering.begin[static_cast<std::size_t>(g) + 1];
         ++n) {
      group[static_cast<std::size_t>(ordering.order[static_cast<std::size_t>(n)])] = static_cast<std::int32_t>(g);
    }
  }
  return group;
}

}  // namespace

Ordering cuthill_mckee(const Pattern& pattern) {
  const auto degree = [&](std::int32_t i) { return pattern.begin[i + 1] - pattern.begin[i]; };
  const auto by_degree = [&](std::int32_t i, std::int32_t j) { return degree(i) < degree(j); };
  Rows starts(static_cast<std::size_t>(pattern.rows));
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(), by_degree);

  Ordering result;
  Rows& order = result.order;
  order.reserve(starts.size());
  std::vector<bool> seen(starts.size());
  const auto visit = [&](std::int32_t i) {
    if (seen[static_cast<std::size_t>(i)]) return;
    seen[static_cast<std::size_t>(i)] = true;
    order.push_back(i);
  };
  for (const std::int32_t start : starts) {
    visit(start);
    std::size_t level = result.begin.empty() ? 0 : static_cast<std::size_t>(result.begin.back());
    if (!result.begin.empty() && level == order.size()) continue;  // was visited before
    if (result.begin.empty()) result.begin.push_back(0);
    while (level < order.size()) {
      const std::size_t end = order.size();
      result.begin.push_back(static_cast<std::int64_t>(end));
      for (; level < end; ++level) {
        const std::size_t fresh = order.size();
        for (const std::int32_t j : pattern.row(order[level])) visit(j);
        std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(fresh), order.end(), by_degree);
      }
    }
  }
  if (result.begin.empty()) result.begin.push_back(0);
  return result;
}

Ordering reverse_cuthill_mckee(const Pattern& pattern) {
  Ordering result = cuthill_mckee(pattern);
  std::reverse(result.order.begin(), result.order.end());
  std::reverse(result.begin.begin(), result.begin.end());
  for (std::int64_t& first : result.begin) first = pattern.rows - first;
  return result;
}

Ordering cm_rcm(const Pattern& pattern, int k) {
  if (k < 2) {
    refuse("CM-RCM(" + std::to_string(k) +
           ") does not exist: rows of neighbouring levels touch; use 2 colours or more");
  }
  const Ordering levels = cuthill_mckee(pattern);
  Rows group = group_of_rows(levels);
  for (std::int32_t i = 0; i < pattern.rows; ++i) {
    for (const std::int32_t j : pattern.row(i)) {
      if (j == i || group[static_cast<std::size_t>(i)] != group[static_cast<std::size_t>(j)]) continue;
      refuse("CM-RCM cannot colour this matrix: rows " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
             " touch and are both in level " + std::to_string(group[static_cast<std::size_t>(i)]) +
             "; use greedy colours");
    }
  }
  for (std::int32_t& g : group) g %= k;
  return grouped(levels.order, group, std::min<std::int64_t>(k, levels.groups()));
}

Ordering natural_levels(const Pattern& pattern) {
  Rows rows(static_cast<std::size_t>(pattern.rows)), level(rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::int32_t groups = 0;
  for (const std::int32_t i : rows) {
    std::int32_t& of_i = level[static_cast<std::size_t>(i)];
    for (const std::int32_t j : pattern.row(i)) {
      if (j < i) of_i = std::max(of_i, level[static_cast<std::size_t>(j)] + 1);
    }
    groups = std::max(groups, of_i + 1);
  }
  return grouped(rows, level, groups);
}

Ordering greedy_colours(const Pattern& pattern, const Rows& rows) {
  constexpr std::int32_t none = -1;
  Rows colour(static_cast<std::size_t>(pattern.rows), none);
  Rows taken_by;  // for each colour the last row that could not have it
  for (const std::int32_t i : rows) {
    for (const std::int32_t j : pattern.row(i)) {
      const std::int32_t c = colour[static_cast<std::size_t>(j)];
      if (c != none) taken_by[static_cast<std::size_t>(c)] = i;
    }
    const auto free = std::find_if(taken_by.begin(), taken_by.end(), [i](std::int32_t by) { return by != i; });
    colour[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(free - taken_by.begin());
    if (free == taken_by.end()) taken_by.push_back(none);
  }
  return grouped(rows, colour, static_cast<std::int64_t>(taken_by.size()));
}

Ordering greedy_colours(const Pattern& pattern) {
  Rows rows(static_cast<std::size_t>(pattern.rows));
  std::iota(rows.begin(), rows.end(), 0);
  return greedy_colours(pattern, rows);
}

std::string colouring_error(const Pattern& pattern, const Ordering& colours) {
  std::vector<bool> seen(static_cast<std::size_t>(pattern.rows));
  for (const std::int32_t i : colours.order) {
    if (i < 0 || i >= pattern.rows) return "row " + std::to_string(i + 1) + " does not exist";
    if (seen[static_cast<std::size_t>(i)]) return "row " + std::to_string(i + 1) + " comes twice";
    seen[static_cast<std::size_t>(i)] = true;
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end()) return "row " + std::to_string(missing - seen.begin() + 1) + " is missing";
  if (colours.begin.empty() || colours.begin.front() != 0 || colours.begin.back() != pattern.rows ||
      !std::is_sorted(colours.begin.begin(), colours.begin.end())) {
    return "the colours do not contain all rows";
  }
  const Rows group = group_of_rows(colours);
  for (std::int32_t i = 0; i < pattern.rows; ++i) {
    for (const std::int32_t j : pattern.row(i)) {
      if (j != i && j < pattern.rows && group[static_cast<std::size_t>(i)] == group[static_cast<std::size_t>(j)]) {
        return "rows " + std::to_string(i + 1) + " and " + std::to_string(j + 1) + " touch and both have colour " +
               std::to_string(group[static_cast<std::size_t>(i)]);
      }
    }
  }
  return "";
}

std::int64_t bandwidth(const Pattern& pattern) {
  std::int64_t widest = 0;
  for (std::int64_t i = 0; i < pattern.rows; ++i) {
    for (const std::int32_t j : pattern.row(i)) widest = std::max(widest, std::abs(i - j));
  }
  return widest;
}

}  // namespace tenken
