// The flows: their boxes, walls, velocities at the start, and exact solutions where there are any.
#pragma once

#include <cstdint>
#include <string_view>

#include "box.hpp"

namespace les {

// taylor_green_2d  vortices of G. I. Taylor, A. E. Green, Proc. R. Soc. A 158 (1937) 499, in a periodic box of side
//                  2 pi: exact, u = sin x cos y exp(-2 nu t), v = -cos x sin y exp(-2 nu t)
// taylor_green_3d  u = sin x cos y cos z, v = -cos x sin y cos z, w = 0 at the start
// channel          between walls at y = 0 and 1, driven by a force in x: exact, u = 4 y (1 - y)
// cavity_2d        a lid at y = 1 moves with u = 1, walls in x and y, periodic in z
// cavity_3d        the same with walls in z
enum class Kind { taylor_green_2d, taylor_green_3d, channel, cavity_2d, cavity_3d };
Kind kind_of(std::string_view name);

struct Flow {
  Kind kind = Kind::taylor_green_3d;
  double viscosity = 0;  // greatest velocity and unit of length are 1: 1 / Reynolds number

  bool exact() const { return kind == Kind::taylor_green_2d || kind == Kind::channel; }
  bool driven() const { return kind != Kind::taylor_green_2d && kind != Kind::taylor_green_3d; }
  double force() const { return kind == Kind::channel ? 8 * viscosity : 0; }  // in x, of a unit of mass
  // At a place inside; at later times where the flow is exact.
  tenken::Point velocity(const tenken::Point& at, double time) const;
  // Of a node at a wall, at any time. The lid's velocity falls to 0 at its ends over two elements: a jump over one
  // would have a share of the checkerboard (modes.hpp) that no velocity of the inside can take away.
  tenken::Point at_wall(const Box& box, const Cells& node) const;
};

// The box of a flow; its depth in z follows from the cells where the flow is two-dimensional.
Box box_of(Kind kind, const Cells& cells, double stretch, double distortion);

}  // namespace les
