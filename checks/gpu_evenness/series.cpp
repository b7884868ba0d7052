#include "series.hpp"

#include <algorithm>
#include <cmath>

namespace tenken::gpu_evenness {

namespace {

constexpr double most_bins = 120;

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

void Series::reading(double s, int card, const gpu::Reading& reading) {
  if (reading.clock_hz) clocks_.push_back({s, card, *reading.clock_hz / 1e9});
  if (reading.power_w) powers_.push_back({s, card, *reading.power_w});
  if (reading.temperature_c) temperatures_.push_back({s, card, *reading.temperature_c});
  if (!reading.reasons) return;
  ++readings_[card];
  for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
    const std::string word = gpu::reason_words(*reading.reasons & bit);
    if (word.empty()) continue;
    auto& counts = slowed_[word];
    counts.resize(cards_.size());
    ++counts[static_cast<std::size_t>(card)];
  }
}

Table Series::through_time(std::string name, std::string unit, Better better,
                           const std::vector<Sample>& samples) const {
  double end = 0;
  for (const Sample& sample : samples) end = std::max(end, sample.s);
  const double bin = std::max(1.0, std::ceil(end / most_bins));
  const auto bins = static_cast<std::size_t>(end / bin) + 1;
  std::vector<std::vector<double>> cells(bins * cards_.size());
  for (const Sample& sample : samples) {
    cells[static_cast<std::size_t>(sample.s / bin) * cards_.size() + static_cast<std::size_t>(sample.card)].push_back(
        sample.value);
  }
  Table table{std::move(name), std::move(unit), better, {}, cards_, {}, Form::curves};
  for (std::size_t i = 0; i < bins; ++i)
    table.rows.push_back("t " + std::to_string(static_cast<int>(bin) * static_cast<int>(i + 1)) + " s");
  for (auto& cell : cells) table.values.push_back(cell.empty() ? std::nullopt : std::optional(median(cell)));
  return table;
}

Table Series::reasons() const {
  Table table{"reasons", "%", Better::lower, cards_, {}, {}, Form::figures};
  for (const auto& [reason, counts] : slowed_) table.columns.push_back(reason);
  for (std::size_t card = 0; card < cards_.size(); ++card) {
    const auto readings = readings_.find(static_cast<int>(card));
    for (const auto& [reason, counts] : slowed_) {
      table.values.push_back(readings == readings_.end() ? std::nullopt
                                                         : std::optional(100.0 * counts[card] / readings->second));
    }
  }
  return table;
}

Table Series::memory() const {
  Table table{"memory", "1",          Better::lower, cards_, {"repair pending", "repair failed", "uncorrected errors"},
              {},       Form::figures};
  const auto cell = [](const auto& value) { return value ? std::optional(static_cast<double>(*value)) : std::nullopt; };
  for (std::size_t card = 0; card < cards_.size(); ++card) {
    const auto at = healths_.find(static_cast<int>(card));
    const gpu::Health health = at == healths_.end() ? gpu::Health{} : at->second;
    for (const auto& value : {cell(health.repair_pending), cell(health.repair_failed), cell(health.uncorrected_errors)})
      table.values.push_back(value);
  }
  return table;
}

std::vector<Table> Series::tables() const {
  std::vector<Table> all{through_time("rate", "GFLOP/s", Better::higher, rates_)};
  if (!clocks_.empty()) all.push_back(through_time("clock", "GHz", Better::higher, clocks_));
  if (!powers_.empty()) all.push_back(through_time("power", "W", Better::lower, powers_));
  if (!temperatures_.empty()) all.push_back(through_time("temperature", "degree C", Better::lower, temperatures_));
  if (!slowed_.empty()) all.push_back(reasons());
  const auto known = [](const auto& each) {
    return each.second.repair_pending || each.second.repair_failed || each.second.uncorrected_errors;
  };
  if (std::any_of(healths_.begin(), healths_.end(), known)) all.push_back(memory());
  return all;
}

}  // namespace tenken::gpu_evenness
