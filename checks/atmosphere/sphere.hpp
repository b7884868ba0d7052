// Vectors in space, and points, lengths and areas on the unit sphere.
#pragma once

#include <cmath>

namespace atmosphere {

struct Vec {
  double x = 0, y = 0, z = 0;

  Vec operator+(const Vec& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec operator-(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec operator*(double s) const { return {x * s, y * s, z * s}; }
  Vec& operator+=(const Vec& o) { return *this = *this + o; }
};

inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec& a) { return std::sqrt(dot(a, a)); }
inline Vec unit(const Vec& a) { return a * (1 / length(a)); }

// Of a great circle between two points.
inline double arc(const Vec& a, const Vec& b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

// Of a triangle of great circles, positive where a, b, c go around it counter-clockwise seen from outside: the formula
// of Eriksson, Math. Magazine 63 (1990) 184.
inline double area(const Vec& a, const Vec& b, const Vec& c) {
  return 2 * std::atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

}  // namespace atmosphere
