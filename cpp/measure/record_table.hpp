// The `table` line of a record: a matrix of figures, such as one for each pair of ranks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenken {

enum class Better { higher, lower };

struct Table {
  std::string name;
  std::string unit;
  Better better = Better::lower;
  std::vector<std::string> rows;  // their labels
  std::vector<std::string> columns;
  std::vector<std::optional<double>> values;  // row by row; empty where nothing was measured
};

// How a solve went: `values` after each iteration, at up to 64 of them, evenly, the last one among them.
Table history_table(std::string name, std::string column, std::span<const double> values);

constexpr std::size_t largest_table = 1 << 20;  // bytes of a line

// The line, newline-ended. One that would be larger than `largest` holds, in place of its values, least, median and
// greatest cell and the worst 1 % of the cells, or as many of these as fit. std::logic_error where the number of
// values is not rows x columns.
std::string table_line(const Table& table, std::size_t largest = largest_table);

}  // namespace tenken
