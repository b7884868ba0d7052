#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

namespace les {

namespace {

struct Published {
  double y, re_100, re_400, re_1000;
};
// Of U. Ghia and others, table I, from the wall to the lid.
constexpr std::array<Published, 17> ghia{{{0.0000, 0.00000, 0.00000, 0.00000},
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

std::vector<Cells> middle_line(const Box& box) {
  std::vector<Cells> all;
  for (const int j : every(box.cells[1] + 1, 65)) all.push_back({box.cells[0] / 2, j, box.cells[2] / 2});
  if (all.back()[1] != box.cells[1]) all.push_back({box.cells[0] / 2, box.cells[1], box.cells[2] / 2});
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

tenken::Table profile_table(const Box& box, const Flow& flow, double time, const std::vector<double>& u) {
  tenken::Table table{"profile", "1", tenken::Better::higher, {}, {"u"}, {}, tenken::Form::curves};
  const std::vector<Cells> line = middle_line(box);
  std::vector<double> y;
  for (const Cells& node : line) y.push_back(box.place(node)[1]);
  double Published::*const of = published(flow);
  if (flow.exact() || of != nullptr) table.columns.emplace_back("exact_u");
  const auto add = [&](double at, double got, std::optional<double> exact) {
    table.rows.push_back(figure("y %.4f", at));
    table.values.emplace_back(got);
    if (exact) table.values.emplace_back(*exact);
  };
  if (of != nullptr) {
    for (const Published& row : ghia) add(row.y, interpolated(y, u, row.y), row.*of);
    return table;
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    add(y[i], u[i], flow.exact() ? std::optional(flow.velocity(box.place(line[i]), time)[0]) : std::nullopt);
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
