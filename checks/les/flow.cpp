#include "flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace les {

Kind kind_of(std::string_view name) {
  constexpr std::array<std::string_view, 5> names{"taylor_green_2d", "taylor_green_3d", "channel", "cavity_2d",
                                                  "cavity_3d"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Kind>(i);
  }
  return Kind::taylor_green_3d;
}

tenken::Point Flow::velocity(const tenken::Point& at, double time) const {
  const auto [x, y, z] = at;
  switch (kind) {
    case Kind::taylor_green_2d: {
      const double decay = std::exp(-2 * viscosity * time);
      return {std::sin(x) * std::cos(y) * decay, -std::cos(x) * std::sin(y) * decay, 0};
    }
    case Kind::taylor_green_3d:
      return {std::sin(x) * std::cos(y) * std::cos(z), -std::cos(x) * std::sin(y) * std::cos(z), 0};
    case Kind::channel:
      return {4 * y * (1 - y), 0, 0};
    default:
      return {};
  }
}

tenken::Point Flow::at_wall(const Box& box, const Cells& node) const {
  const bool has_lid = kind == Kind::cavity_2d || kind == Kind::cavity_3d;
  if (!has_lid || node[1] != box.cells[1] || (!box.periodic[2] && (node[2] == 0 || node[2] == box.cells[2]))) return {};
  const double x = box.place(node)[0];
  const double second = box.place({2, box.cells[1], 0})[0],
               last_but_one = box.place({box.cells[0] - 2, box.cells[1], 0})[0];
  return {std::clamp(std::min(x / second, (1 - x) / (1 - last_but_one)), 0.0, 1.0), 0, 0};
}

Box box_of(Kind kind, const Cells& cells, double stretch, double distortion) {
  Box box{.cells = cells, .side = {1, 1, 1}, .stretch = stretch, .distortion = distortion};
  const double depth = static_cast<double>(cells[2]) / cells[0];
  constexpr double turn = 2 * std::numbers::pi;
  switch (kind) {
    case Kind::taylor_green_2d:
      box.side = {turn, turn, turn * depth};
      box.periodic = {true, true, true};
      break;
    case Kind::taylor_green_3d:
      box.side = {turn, turn, turn};
      box.periodic = {true, true, true};
      break;
    case Kind::channel:
      box.side = {1, 1, depth};
      box.periodic = {true, false, true};
      break;
    case Kind::cavity_2d:
      box.side = {1, 1, depth};
      box.periodic = {false, false, true};
      break;
    case Kind::cavity_3d:
      break;
  }
  return box;
}

}  // namespace les
