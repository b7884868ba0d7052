#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

namespace les {

namespace {

struct Published {
  double at, re_100, re_400, re_1000;
};
// Of U. Ghia and others, table I: u from the lower wall to the lid.
constexpr std::array<Published, 17> ghia_u{{{0.0000, 0.00000, 0.00000, 0.00000},
                                            {0.0547, -0.03717, -0.08186, -0.18109},
                                            {0.0625, -0.04192, -0.09266, -0.20196},
                                            {0.0703, -0.04775, -0.10338, -0.22220},
                                            {0.1016, -0.06434, -0.14612, -0.29730},
                                            {0.1719, -0.10150, -0.24299, -0.38289},
                                            {0.2813, -0.15662, -0.32726, -0.27805},
                                            {0.4531, -0.21090, -0.17119, -0.10648},
                                            {0.5000, -0.20581, -0.11477, -0.06080},
                                            {0.6172, -0.13641, 0.02135, 0.05702},
                                            {0.7344, 0.00332, 0.16256, 0.18719},
                                            {0.8516, 0.23151, 0.29093, 0.33304},
                                            {0.9531, 0.68717, 0.55892, 0.46604},
                                            {0.9609, 0.73722, 0.61756, 0.51117},
                                            {0.9688, 0.78871, 0.68439, 0.57492},
                                            {0.9766, 0.84123, 0.75837, 0.65928},
                                            {1.0000, 1.00000, 1.00000, 1.00000}}};

// Table II: v from the left wall to the right wall. The printed -0.23827 at 0.9063, Re 400, lies far off the curve of
// the points beside it: a misprint, left out.
constexpr double misprint = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<Published, 17> ghia_v{{{0.0000, 0.00000, 0.00000, 0.00000},
                                            {0.0625, 0.09233, 0.18360, 0.27485},
                                            {0.0703, 0.10091, 0.19713, 0.29012},
                                            {0.0781, 0.10890, 0.20920, 0.30353},
                                            {0.0938, 0.12317, 0.22965, 0.32627},
                                            {0.1563, 0.16077, 0.28124, 0.37095},
                                            {0.2266, 0.17507, 0.30203, 0.33075},
                                            {0.2344, 0.17527, 0.30174, 0.32235},
                                            {0.5000, 0.05454, 0.05186, 0.02526},
                                            {0.8047, -0.24533, -0.38598, -0.31966},
                                            {0.8594, -0.22445, -0.44993, -0.42665},
                                            {0.9063, -0.16914, misprint, -0.51550},
                                            {0.9453, -0.10313, -0.22847, -0.39188},
                                            {0.9531, -0.08864, -0.19254, -0.33714},
                                            {0.9609, -0.07391, -0.15663, -0.27669},
                                            {0.9688, -0.05906, -0.12146, -0.21388},
                                            {1.0000, 0.00000, 0.00000, 0.00000}}};

// The column of a cavity, or null.
double Published::*published(const Flow& flow) {
  if (flow.kind != Kind::cavity_2d) return nullptr;
  const auto is = [&](double reynolds) { return std::abs(flow.viscosity * reynolds - 1) < 1e-9; };
  return is(100) ? &Published::re_100 : is(400) ? &Published::re_400 : is(1000) ? &Published::re_1000 : nullptr;
}

std::string figure(const char* form, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

std::vector<int> every(int count, int most) {
  std::vector<int> all;
  const int stride = (count + most - 1) / most;
  for (int i = 0; i < count; i += stride) all.push_back(i);
  return all;
}

// Between the nodes of a line.
double interpolated(std::span<const double> at, std::span<const double> value, double where) {
  const auto next = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
      std::lower_bound(at.begin(), at.end(), where) - at.begin(), 1, static_cast<std::ptrdiff_t>(at.size()) - 1));
  const double share = (where - at[next - 1]) / (at[next] - at[next - 1]);
  return value[next - 1] + share * (value[next] - value[next - 1]);
}

}  // namespace

std::vector<Cells> middle_line(const Box& box, std::size_t along) {
  std::vector<Cells> all;
  Cells node;
  for (std::size_t d = 0; d < 3; ++d) node[d] = box.cells[d] / (box.periodic[d] && d < 2 ? 4 : 2);
  std::vector<int> at = every(box.cells[along] + 1, 65);
  if (at.back() != box.cells[along]) at.push_back(box.cells[along]);
  for (const int n : at) {
    node[along] = n;
    all.push_back(node);
  }
  return all;
}

Plane middle_plane(const Box& box) {
  Plane plane{every(box.cells[0] + 1, 48), every(box.cells[1] + 1, 48), {}};
  std::reverse(plane.y.begin(), plane.y.end());
  for (const int j : plane.y) {
    for (const int i : plane.x) plane.nodes.push_back({i, j, box.cells[2] / 2});
  }
  return plane;
}

tenken::Table profile_table(const Box& box, const Flow& flow, double time, std::size_t along,
                            const std::vector<double>& velocity) {
  const std::size_t component = along == 1 ? 0 : 1;
  const std::string name = component == 0 ? "u" : "v";
  tenken::Table table{"profile_" + name, "1", tenken::Better::higher, {}, {name}, {}, tenken::Form::curves};
  const std::vector<Cells> line = middle_line(box, along);
  std::vector<double> at;
  for (const Cells& node : line) at.push_back(box.place(node)[along]);
  double Published::*const of = published(flow);
  if (flow.exact() || of != nullptr) table.columns.push_back("exact_" + name);
  const auto add = [&](double where, double got, std::optional<double> exact) {
    table.rows.push_back(figure(along == 1 ? "y %.4f" : "x %.4f", where));
    table.values.emplace_back(got);
    if (exact) table.values.emplace_back(*exact);
  };
  if (of != nullptr) {
    const std::span<const Published> rows = component == 0 ? std::span<const Published>(ghia_u) : ghia_v;
    for (const Published& row : rows) {
      if (!std::isnan(row.*of)) add(row.at, interpolated(at, velocity, row.at), row.*of);
    }
    return table;
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    add(at[i], velocity[i],
        flow.exact() ? std::optional(flow.velocity(box.place(line[i]), time)[component]) : std::nullopt);
  }
  return table;
}

tenken::Table energy_table(const std::vector<Energy>& history) {
  tenken::Table table{"energy", "1", tenken::Better::higher, {}, {"kinetic energy"}, {}, tenken::Form::curves};
  for (const int i : every(static_cast<int>(history.size()), 64)) {
    const Energy& one = history[static_cast<std::size_t>(i)];
    table.rows.push_back(figure("time %.6g", one.time));
    table.values.emplace_back(one.kinetic);
  }
  return table;
}

tenken::Table plane_table(const Box& box, const Plane& plane, const std::vector<double>& u) {
  tenken::Table table{"plane", "1", tenken::Better::higher, {}, {}, {}, tenken::Form::field};
  for (const int j : plane.y) table.rows.push_back(figure("y %.3f", box.place({0, j, 0})[1]));
  for (const int i : plane.x) table.columns.push_back(figure("x %.3f", box.place({i, 0, 0})[0]));
  for (const double one : u) table.values.emplace_back(one);
  return table;
}

}  // namespace les
