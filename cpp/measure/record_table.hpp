// The `table` line of a record: a matrix of figures, such as one for each pair of ranks; curves; a plane of a field.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenken {

enum class Better { higher, lower };

// How the report draws a table.
enum class Form {
  matrix,  // light where good, dark where bad; rows called "iteration N" as curves
  curves,  // columns over the numbers of the rows ("0.25 s"); column exact_X dashed beside column X
  field,   // signed values on a plane; rows ("z 0.25 km") downwards, columns to the right
  ranks,   // the place of each rank, such as in the cut box: the cell has its number
  figures  // figures to read, of which none is good or bad, such as energies
};

struct Table {
  std::string name;
  std::string unit;
  Better better = Better::lower;
  std::vector<std::string> rows;  // their labels
  std::vector<std::string> columns;
  std::vector<std::optional<double>> values;  // row by row; empty where nothing was measured
  Form form = Form::matrix;
};

// How a solve went: `values` after each iteration, at up to 64 of them, evenly, the last one among them.
Table history_table(std::string name, std::string column, std::span<const double> values);

constexpr std::size_t largest_table = 1 << 20;  // bytes of a line

// The line, newline-ended. One that would be larger than `largest` holds, in place of its values, least, median and
// greatest cell and the worst 1 % of the cells, or as many of these as fit. std::logic_error where the number of
// values is not rows x columns.
std::string table_line(const Table& table, std::size_t largest = largest_table);

// For a program by hand: name and size of a table that only a drawing makes readable.
std::string named_only(const Table& table);

}  // namespace tenken
