#include "measure/record_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/json.hpp"

namespace tenken {

namespace {

std::string_view name_of(Form form) {
  if (form == Form::curves) return "curves";
  if (form == Form::figures) return "figures";
  return form == Form::field ? "field" : "ranks";
}

Json head(const Table& table) {
  Json json;
  json.begin_object().field("type", "table").field("name", table.name).field("unit", table.unit);
  json.field("better", table.better == Better::higher ? "higher" : "lower");
  if (table.form != Form::matrix) json.field("form", name_of(table.form));
  for (const auto& [key, labels] : {std::pair("rows", &table.rows), std::pair("columns", &table.columns)}) {
    json.key(key).begin_array();
    for (const std::string& label : *labels) json.value(label);
    json.end_array();
  }
  return json;
}

// Cells with a value, worst first; those that are no numbers are the worst of all.
std::vector<std::size_t> worst_first(const Table& table) {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    if (table.values[i]) cells.push_back(i);
  }
  const auto badness = [&](std::size_t i) {
    const double value = *table.values[i];
    if (std::isnan(value)) return HUGE_VAL;
    return table.better == Better::higher ? -value : value;
  };
  std::stable_sort(cells.begin(), cells.end(), [&](auto a, auto b) { return badness(a) > badness(b); });
  return cells;
}

std::string whole(const Table& table) {
  Json json = head(table);
  json.key("values").begin_array();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    json.begin_array();
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const auto& value = table.values[row * table.columns.size() + column];
      value ? json.value(*value) : json.null();
    }
    json.end_array();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

std::string shortened(const Table& table, std::size_t largest) {
  const std::vector<std::size_t> cells = worst_first(table);
  Json json = head(table);
  json.key("values").null().key("summary").begin_object();
  json.field("cells", table.values.size()).field("missing", table.values.size() - cells.size());
  std::vector<double> finite;
  for (const std::size_t cell : cells) {
    if (std::isfinite(*table.values[cell])) finite.push_back(*table.values[cell]);
  }
  std::sort(finite.begin(), finite.end());
  const auto quantile = [&](std::string_view name, std::size_t at) {
    json.key(name);
    finite.empty() ? json.null() : json.value(finite[at]);
  };
  quantile("least", 0);
  quantile("median", finite.size() / 2);
  quantile("greatest", finite.empty() ? 0 : finite.size() - 1);
  json.key("worst").begin_array();
  const std::size_t part = (cells.size() + 99) / 100;
  for (std::size_t i = 0; i < part; ++i) {
    constexpr std::size_t room = 80;  // of one more cell and of the end
    if (i > 0 && json.text().size() + room > largest) break;
    json.begin_object().field("row", cells[i] / table.columns.size()).field("column", cells[i] % table.columns.size());
    json.field("value", *table.values[cells[i]]).end_object();
  }
  json.end_array().end_object().end_object();
  return json.text() + "\n";
}

}  // namespace

std::string table_line(const Table& table, std::size_t largest) {
  if (table.values.size() != table.rows.size() * table.columns.size()) {
    throw std::logic_error("table " + table.name + ": " + std::to_string(table.values.size()) + " values for " +
                           std::to_string(table.rows.size()) + " rows x " + std::to_string(table.columns.size()) +
                           " columns");
  }
  constexpr std::size_t least_bytes = 2;  // of a cell: do not write out what cannot fit
  if (least_bytes * table.values.size() <= largest) {
    std::string line = whole(table);
    if (line.size() <= largest) return line;
  }
  return shortened(table, largest);
}

std::string named_only(const Table& table) {
  return "table    " + table.name + " has " + std::to_string(table.rows.size()) + " rows and " +
         std::to_string(table.columns.size()) + " columns, which --record FILE writes\n";
}

Table history_table(std::string name, std::string column, std::span<const double> values) {
  constexpr std::size_t most = 64;
  Table table;
  table.name = std::move(name);
  table.unit = "1";
  table.columns = {std::move(column)};
  const std::size_t rows = std::min(most, values.size());
  for (std::size_t k = 1; k <= rows; ++k) {
    const std::size_t iteration = values.size() * k / rows;
    table.rows.push_back("iteration " + std::to_string(iteration));
    table.values.push_back(values[iteration - 1]);
  }
  return table;
}

}  // namespace tenken
