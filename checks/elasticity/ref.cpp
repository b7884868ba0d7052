#include "ref.hpp"

#include <cmath>

namespace tenken::elasticity {

namespace {

constexpr std::size_t freedoms = 3 * corners;

// Places and weights of Gauss-Legendre integration on [-1, 1].
std::vector<std::pair<double, double>> gauss_points(int points) {
  switch (points) {
    case 1:
      return {{0, 2}};
    case 2:
      return {{-std::sqrt(1.0 / 3), 1}, {std::sqrt(1.0 / 3), 1}};
    case 3:
      return {{-std::sqrt(0.6), 5.0 / 9}, {0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}};
    default: {
      const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2));
      const double outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
      const double more = (18 + std::sqrt(30.0)) / 36, less = (18 - std::sqrt(30.0)) / 36;
      return {{-outer, less}, {-inner, more}, {inner, more}, {outer, less}};
    }
  }
}

double shape(int corner, const Point& at, int slope_in) {
  double value = 1;
  for (int d = 0; d < 3; ++d) {
    const double end = upper(corner, d) != 0 ? 1 : -1;
    value *= d == slope_in ? end / 2 : (1 + end * at[static_cast<std::size_t>(d)]) / 2;
  }
  return value;
}

// Slopes of all shape functions by x, y, z, from J^T g = own slopes, solved by elimination; returns det J.
double slopes(const Hexahedron& element, const Point& at, double (&g)[corners][3]) {
  Block3 map;  // (d, i): derivative of coordinate i by own coordinate d
  for (int a = 0; a < corners; ++a) {
    for (int d = 0; d < 3; ++d) {
      for (int i = 0; i < 3; ++i) {
        map(d, i) += shape(a, at, d) * element[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)];
      }
    }
  }
  const Lu<double, 3> lu(map);
  for (int a = 0; a < corners; ++a) {
    for (int d = 0; d < 3; ++d) g[a][d] = shape(a, at, d);
    lu.solve(g[a]);
  }
  const auto& m = map;
  return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
         m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
}

}  // namespace

PlainStiffness plain_stiffness(const Hexahedron& element, const Material& material, int points) {
  // Stresses xx, yy, zz, xy, yz, zx of the same strains (shear strains as angles).
  double d[6][6] = {};
  const double e = material.young / ((1 + material.poisson) * (1 - 2 * material.poisson));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) d[i][j] = e * (i == j ? 1 - material.poisson : material.poisson);
    d[i + 3][i + 3] = e * (1 - 2 * material.poisson) / 2;
  }
  constexpr int shear[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  PlainStiffness k(freedoms * freedoms);
  for (const auto& [x, wx] : gauss_points(points)) {
    for (const auto& [y, wy] : gauss_points(points)) {
      for (const auto& [z, wz] : gauss_points(points)) {
        double g[corners][3];
        const double volume = slopes(element, {x, y, z}, g) * wx * wy * wz;
        double b[6][freedoms] = {};
        for (std::size_t a = 0; a < corners; ++a) {
          for (std::size_t i = 0; i < 3; ++i) b[i][3 * a + i] = g[a][i];
          for (std::size_t s = 0; s < 3; ++s) {
            const auto i = static_cast<std::size_t>(shear[s][0]), j = static_cast<std::size_t>(shear[s][1]);
            b[3 + s][3 * a + i] = g[a][j];
            b[3 + s][3 * a + j] = g[a][i];
          }
        }
        for (std::size_t i = 0; i < freedoms; ++i) {
          double stress[6] = {};
          for (int s = 0; s < 6; ++s) {
            for (int t = 0; t < 6; ++t) stress[s] += b[t][i] * d[t][s];
          }
          for (std::size_t j = 0; j < freedoms; ++j) {
            for (int s = 0; s < 6; ++s) k[i * freedoms + j] += stress[s] * b[s][j] * volume;
          }
        }
      }
    }
  }
  return k;
}

PlainForces::PlainForces(const Mesh& mesh, const Material& material) : mesh_(mesh), material_(material) {
  if (!mesh.distorted()) unit_ = plain_stiffness(mesh.element({0, 0, 0}), material, 2);
}

PlainStiffness PlainForces::of(const Node& lowest) const {
  return plain_stiffness(mesh_.element(lowest), material_, 2);
}

}  // namespace tenken::elasticity
