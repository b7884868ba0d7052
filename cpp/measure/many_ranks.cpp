#include "measure/many_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "base/median.hpp"

namespace tenken {

namespace {

// As in base/rows.py, where the sources are.
constexpr double mad_to_sigma = 1.4826;
constexpr double outlying_spreads = 5.0, least_excess = 0.02;
constexpr double clipped_sigma = 3.0;
// As in store/samples.py.
constexpr double stands_out = 5.0, least_spread = 0.01;

double middle(const std::vector<double>& ordered) {
  const std::size_t n = ordered.size();
  return (ordered[(n - 1) / 2] + ordered[n / 2]) / 2;
}

double quantile(const std::vector<double>& ordered, double probability) {
  const double place = static_cast<double>(ordered.size() - 1) * probability;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ordered.size() - 1);
  return ordered[below] + (place - static_cast<double>(below)) * (ordered[above] - ordered[below]);
}

// Lag-1 autocorrelation of values clipped to `limit` around `centre`; 0 for fewer than 3 or without spread.
double memory_of(std::span<const double> values, double centre, double limit) {
  if (values.size() < 3) return 0;
  std::vector<double> away(values.begin(), values.end());
  for (double& x : away) {
    x -= centre;
    if (limit > 0) x = std::clamp(x, -limit, limit);
  }
  const double mean = std::accumulate(away.begin(), away.end(), 0.0) / static_cast<double>(away.size());
  double power = 0, together = 0;
  for (std::size_t i = 0; i < away.size(); ++i) {
    power += (away[i] - mean) * (away[i] - mean);
    if (i > 0) together += (away[i] - mean) * (away[i - 1] - mean);
  }
  return power > 0 ? together / power : 0;
}

// How far each value is above the median of all, in their spread.
std::vector<double> away(const std::vector<double>& values, double least) {
  const double centre = median_of(values);
  std::vector<double> distance(values.size());
  std::transform(values.begin(), values.end(), distance.begin(), [&](double x) { return std::abs(x - centre); });
  const double spread =
      std::max({mad_to_sigma * median_of(distance), least >= 0 ? least : least_spread * centre, 1e-300});
  std::transform(values.begin(), values.end(), distance.begin(), [&](double x) { return (x - centre) / spread; });
  return distance;
}

// Rows of a page that count for a section.
std::vector<int> rows_of(const ManyRanks& all, std::size_t section) {
  std::vector<int> rows;
  for (int row = 0; row < all.rows; ++row) {
    const bool counts = all.repeated[section] != 0 ? row >= Page::first_repetition_row : row == Page::once_row;
    if (counts && all.slowest[static_cast<std::size_t>(row) * all.sections + section].ns >= 0) rows.push_back(row);
  }
  return rows;
}

void write_work(Json& json, const std::int64_t* work) {
  json.begin_object().field("flop", work[0]).field("bytes_read", work[1]).field("bytes_written", work[2]);
  json.field("messages", work[3]).end_object();
}

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

void write_repetitions(Json& json, const ManyRanks& all, std::size_t section, const std::vector<int>& rows) {
  const auto place = [&](int row) { return static_cast<std::size_t>(row) * all.sections + section; };
  json.key("repetition").begin_array();
  for (const int row : rows) json.value(row == Page::once_row ? -1 : row - Page::first_repetition_row);
  json.end_array().key("calls").begin_array();
  for (const int row : rows) json.value(all.calls[place(row)]);
  json.end_array().key("ns").begin_array();
  for (const int row : rows) json.value(all.slowest[place(row)].ns);
  json.end_array().key("slowest").begin_array();
  for (const int row : rows) json.value(all.slowest[place(row)].rank);
  json.end_array().key("work");
  const auto of = [&](int row) { return all.work.data() + 4 * place(row); };
  if (std::all_of(rows.begin(), rows.end(),
                  [&](int row) { return std::equal(of(row), of(row) + 4, of(rows.front())); })) {
    write_work(json, of(rows.front()));
    return;
  }
  json.begin_array();
  for (const int row : rows) write_work(json, of(row));
  json.end_array();
}

}  // namespace

RankFigures figures_of(std::span<const double> ns) {
  RankFigures found;
  std::vector<double> ordered(ns.begin(), ns.end());
  std::sort(ordered.begin(), ordered.end());
  found.count = static_cast<double>(ns.size());
  found.sum = std::accumulate(ns.begin(), ns.end(), 0.0);
  found.median = middle(ordered);
  found.least = ordered.front();
  found.low = quantile(ordered, 0.1);
  found.high = quantile(ordered, 0.9);
  for (double& x : ordered) x = std::abs(x - found.median);
  found.mad = median_of(std::move(ordered));
  const double spread = mad_to_sigma * found.mad;
  for (const double x : ns) {
    const double excess = x - found.median;
    if (excess > std::max(outlying_spreads * spread, least_excess * found.median)) found.outlying += excess;
  }
  const double sigma = found.count > 1 ? spread * (found.count / (found.count - 0.8)) : 0;
  found.memory = memory_of(ns, found.median, clipped_sigma * sigma);
  return found;
}

std::vector<int> standing_out(const ManyRanks& all, std::int64_t most) {
  std::vector<double> score(static_cast<std::size_t>(all.ranks), 0.0);
  std::map<int, double> slowest;  // the slowest ranks, with the time of the longest section in which they are
  for (std::size_t section = 0; section < all.sections; ++section) {
    std::vector<int> ranks;
    std::vector<double> median, loss, jitter;
    for (int rank = 0; rank < all.ranks; ++rank) {
      const RankFigures& one = all.figures[static_cast<std::size_t>(rank) * all.sections + section];
      if (one.count < 1) continue;
      ranks.push_back(rank);
      median.push_back(one.median);
      loss.push_back(one.loss());
      jitter.push_back(one.mad / std::max(one.median, 1e-300));
    }
    if (ranks.empty()) continue;
    double total = 0;
    for (const int row : rows_of(all, section))
      total += static_cast<double>(all.slowest[static_cast<std::size_t>(row) * all.sections + section].ns);
    double& longest =
        slowest[ranks[static_cast<std::size_t>(std::max_element(median.begin(), median.end()) - median.begin())]];
    longest = std::max(longest, total);
    for (const auto& far : {away(median, -1), away(loss, least_spread), away(jitter, least_spread)}) {
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        double& known = score[static_cast<std::size_t>(ranks[i])];
        known = std::max(known, far[i]);
      }
    }
  }
  std::vector<int> first, others;
  for (const auto& [rank, total] : slowest) first.push_back(rank);
  std::stable_sort(first.begin(), first.end(), [&](int a, int b) { return slowest.at(a) > slowest.at(b); });
  for (int rank = 0; rank < all.ranks; ++rank) {
    if (score[static_cast<std::size_t>(rank)] >= stands_out && !slowest.contains(rank)) others.push_back(rank);
  }
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    return score[static_cast<std::size_t>(a)] > score[static_cast<std::size_t>(b)];
  });
  first.insert(first.end(), others.begin(), others.end());
  const std::int64_t room = std::max<std::int64_t>(most / std::max<std::int64_t>(all.most_samples_of_a_rank, 1), 1);
  first.resize(static_cast<std::size_t>(std::min(room, static_cast<std::int64_t>(first.size()))));
  std::sort(first.begin(), first.end());
  return first;
}

std::string summary_lines(const ManyRanks& all) {
  std::string lines;
  for (std::size_t section = 0; section < all.sections; ++section) {
    const std::vector<int> rows = rows_of(all, section);
    if (rows.empty()) continue;
    Json json;
    json.begin_object().field("type", "summary").field("section", section);
    write_repetitions(json, all, section, rows);
    const auto of_ranks = [&](std::string_view name, auto&& figure) {
      json.key(name).begin_array();
      for (int rank = 0; rank < all.ranks; ++rank) {
        const RankFigures& one = all.figures[static_cast<std::size_t>(rank) * all.sections + section];
        if (one.count > 0) json.value(figure(rank, one));
      }
      json.end_array();
    };
    const auto whole = [](double value) { return static_cast<std::int64_t>(std::llround(value)); };
    of_ranks("rank", [](int rank, const RankFigures&) { return rank; });
    of_ranks("count", [&](int, const RankFigures& one) { return whole(one.count); });
    of_ranks("sum_ns", [&](int, const RankFigures& one) { return whole(one.sum); });
    of_ranks("median_ns", [](int, const RankFigures& one) { return one.median; });
    of_ranks("mad_ns", [](int, const RankFigures& one) { return one.mad; });
    of_ranks("loss", [](int, const RankFigures& one) { return rounded(one.loss(), 1e6); });
    of_ranks("least_ns", [&](int, const RankFigures& one) { return whole(one.least); });
    of_ranks("low_ns", [](int, const RankFigures& one) { return rounded(one.low, 10); });
    of_ranks("high_ns", [](int, const RankFigures& one) { return rounded(one.high, 10); });
    of_ranks("outlying_ns", [](int, const RankFigures& one) { return rounded(one.outlying, 10); });
    of_ranks("memory", [](int, const RankFigures& one) { return rounded(one.memory, 1e4); });
    of_ranks("flop", [&](int, const RankFigures& one) { return whole(one.flop); });
    of_ranks("bytes", [&](int, const RankFigures& one) { return whole(one.bytes); });
    json.end_object();
    lines += json.text() + "\n";
  }
  return lines;
}

}  // namespace tenken
