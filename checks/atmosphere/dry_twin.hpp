// For tests: a step of dry_model.hpp written once more, cell by cell and edge by edge from the equations, over the
// whole grid in the order of its cells, in arrays [cell][level], without regions, halos, blocks or stored coefficients.
#pragma once

#include <cmath>
#include <vector>

#include "dry_model.hpp"

namespace atmosphere {

class DryTwin {
 public:
  using Values = std::vector<std::vector<double>>;  // [cell][level]
  using Flow = std::vector<std::vector<Vec>>;
  struct Air {
    Values density, energy, lift;  // lift: on faces, levels + 1
    Flow momentum;
  };

  DryTwin(const Grid& grid, const DryCase& of, const DryNumbers& numbers)
      : grid_(grid),
        n_(numbers),
        a_(of.radius()),
        rotation_(of.rotation()),
        levels_(static_cast<std::size_t>(n_.levels)),
        dz_(of.top() / n_.levels) {
    now.density = now.energy = Values(cells(), std::vector<double>(levels_));
    now.lift = Values(cells(), std::vector<double>(levels_ + 1));
    now.momentum = Flow(cells(), std::vector<Vec>(levels_));
  }

  Air now;

  void step() {
    const Air before = now;
    Air at = now;
    for (const int part : {3, 2, 1}) {
      at = small_steps(before, at, n_.small_steps / part);
    }
    now = at;
    if (n_.diffusion > 0) filter();
  }

 private:
  std::size_t cells() const { return grid_.cells.size(); }
  static std::size_t of(std::int32_t i) { return static_cast<std::size_t>(i); }
  static constexpr double g = earth_gravity, ratio = gas_constant / heat;

  // use(edge outward, of its length; the mean over its two corners of values(cell)) for each edge of a cell.
  template <class Value, class Mean, class Use>
  void edges(std::size_t c, const Value& value, const Mean& zero, const Use& use) const {
    const Grid::Cell& cell = grid_.cells[c];
    for (int k = 0; k < cell.neighbours; ++k) {
      const Grid::Corner& first = grid_.corners[of(cell.corner[of((k + cell.neighbours - 1) % cell.neighbours)])];
      const Grid::Corner& second = grid_.corners[of(cell.corner[of(k)])];
      Mean mean = zero;
      for (const Grid::Corner* corner : {&first, &second}) {
        for (std::size_t i = 0; i < 3; ++i) mean = mean + value(of(corner->cell[i])) * (0.5 * corner->weight[i]);
      }
      const Vec outward = cross(unit(second.at - first.at), unit(first.at + second.at));
      use(outward * (arc(first.at, second.at) * a_ / (grid_.area[c] * a_ * a_)), mean);
    }
  }
  template <class Value>
  double divergence(std::size_t c, const Value& flow) const {
    double sum = 0;
    edges(c, flow, Vec{}, [&](const Vec& outward, const Vec& mean) { sum += dot(outward, mean); });
    return sum;
  }
  template <class Value>
  Vec gradient(std::size_t c, const Value& field) const {
    Vec sum{};
    const double mine = field(c);
    edges(c, field, 0.0, [&](const Vec& outward, double mean) { sum += outward * (mean - mine); });
    return flat(c, sum);
  }
  template <class Value, class Zero>
  Zero laplacian(std::size_t c, const Value& field, const Zero& zero) const {
    const Grid::Cell& cell = grid_.cells[c];
    Zero sum = zero;
    for (int k = 0; k < cell.neighbours; ++k) {
      const Grid::Corner& first = grid_.corners[of(cell.corner[of((k + cell.neighbours - 1) % cell.neighbours)])];
      const Grid::Corner& second = grid_.corners[of(cell.corner[of(k)])];
      const Vec outward = cross(unit(second.at - first.at), unit(first.at + second.at));
      const double length = arc(first.at, second.at) * a_ / (grid_.area[c] * a_ * a_);
      for (const Grid::Corner* corner : {&first, &second}) {
        for (std::size_t i = 0; i < 3; ++i) {
          sum = sum + field(of(corner->cell[i])) * (0.5 * dot(corner->slope[i], outward) * length / a_);
        }
      }
    }
    return sum;
  }
  Vec flat(std::size_t c, const Vec& v) const { return v - grid_.centre[c] * dot(grid_.centre[c], v); }

  Air small_steps(const Air& before, const Air& slow, int count) const;
  void filter();

  const Grid& grid_;
  DryNumbers n_;
  double a_, rotation_;
  std::size_t levels_;
  double dz_;
};

// From the state before the step, with the slow terms of `slow`.
inline DryTwin::Air DryTwin::small_steps(const Air& before, const Air& slow, int count) const {
  const double dtau = n_.dt / n_.small_steps;
  const auto v = [&](std::size_t c, std::size_t k) { return slow.momentum[c][k] * (1 / slow.density[c][k]); };
  const auto face = [](const std::vector<double>& of, std::size_t k) { return 0.5 * (of[k - 1] + of[k]); };
  Values speed(cells(), std::vector<double>(levels_ + 1)), pull = speed, slow_lift = speed, enthalpy = slow.density;
  Flow push(cells(), std::vector<Vec>(levels_));
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = 0; k < levels_; ++k) enthalpy[c][k] = (1 + ratio) * slow.energy[c][k] / slow.density[c][k];
    for (std::size_t k = 1; k < levels_; ++k) {
      speed[c][k] = slow.lift[c][k] / face(slow.density[c], k);
      pull[c][k] = ratio * (slow.energy[c][k] - slow.energy[c][k - 1]) / dz_ / face(slow.density[c], k);
    }
  }
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = 0; k < levels_; ++k) {
      Vec carried{};
      const auto carry = [&](double Vec::*axis) {
        return divergence(c, [&](std::size_t i) { return slow.momentum[i][k] * (v(i, k).*axis); });
      };
      carried = {carry(&Vec::x), carry(&Vec::y), carry(&Vec::z)};
      if (k + 1 < levels_) carried += (v(c, k) + v(c, k + 1)) * (0.5 * slow.lift[c][k + 1] / dz_);
      if (k > 0) carried = carried - (v(c, k) + v(c, k - 1)) * (0.5 * slow.lift[c][k] / dz_);
      const Vec up = grid_.centre[c];
      push[c][k] = flat(c, carried + cross(up, slow.momentum[c][k]) * (2 * rotation_ * up.z)) * -1;
    }
    for (std::size_t k = 1; k < levels_; ++k) {
      const double carried = divergence(
          c, [&](std::size_t i) { return (slow.momentum[i][k] + slow.momentum[i][k - 1]) * (0.5 * speed[i][k]); });
      const auto rise = [&](std::size_t middle) {
        return 0.25 * (slow.lift[c][middle] + slow.lift[c][middle + 1]) * (speed[c][middle] + speed[c][middle + 1]);
      };
      slow_lift[c][k] = -carried - (rise(k) - rise(k - 1)) / dz_;
    }
  }
  Air at = before;
  Values pressure = before.energy;
  for (auto& column : pressure) {
    for (double& one : column) one *= ratio;
  }
  for (int i = 0; i < count; ++i) {
    Values work = at.density;
    for (std::size_t c = 0; c < cells(); ++c) {
      for (std::size_t k = 0; k < levels_; ++k) {
        const Vec slope = gradient(c, [&](std::size_t j) { return pressure[j][k]; });
        at.momentum[c][k] += (push[c][k] - slope) * dtau;
        work[c][k] = dot(at.momentum[c][k], slope) / slow.density[c][k];
      }
    }
    for (std::size_t c = 0; c < cells(); ++c) {
      std::vector<double> thinner(levels_), warmer(levels_);
      for (std::size_t k = 0; k < levels_; ++k) {
        thinner[k] = -dtau * divergence(c, [&](std::size_t j) { return at.momentum[j][k]; });
        warmer[k] =
            dtau * (work[c][k] - divergence(c, [&](std::size_t j) { return at.momentum[j][k] * enthalpy[j][k]; }));
      }
      // Density and energy that a vertical momentum w on the faces makes of those of this small step.
      const auto density = [&](const std::vector<double>& w, std::size_t k, double part) {
        return at.density[c][k] + part * (thinner[k] - dtau * (w[k + 1] - w[k]) / dz_);
      };
      const auto energy = [&](const std::vector<double>& w, std::size_t k, double part) {
        const auto h = [&](std::size_t j) { return j > 0 && j < levels_ ? face(enthalpy[c], j) : 0.0; };
        return at.energy[c][k] + part * (warmer[k] - dtau * (h(k + 1) * w[k + 1] - h(k) * w[k]) / dz_ +
                                         0.5 * dtau * (pull[c][k] * w[k] + pull[c][k + 1] * w[k + 1]));
      };
      // Residual of the equation of w, linear in w: a dense elimination of it, column by column.
      const auto residual = [&](const std::vector<double>& w) {
        std::vector<double> off(levels_ + 1);
        for (std::size_t k = 1; k < levels_; ++k) {
          const double lower = energy(w, k - 1, n_.ahead), upper = energy(w, k, n_.ahead);
          const double weight = 0.5 * g * (density(w, k - 1, n_.ahead) + density(w, k, n_.ahead));
          off[k] = w[k] - at.lift[c][k] - dtau * (slow_lift[c][k] - ratio * (upper - lower) / dz_ - weight);
        }
        return off;
      };
      std::vector<double> none(levels_ + 1), w(levels_ + 1);
      const std::vector<double> start = residual(none);
      const std::size_t rows = levels_ - 1;
      Values matrix(rows, std::vector<double>(rows + 1));
      for (std::size_t column = 0; column < rows; ++column) {
        std::vector<double> one = none;
        one[column + 1] = at.lift[c][column + 1] != 0 ? at.lift[c][column + 1] : 1.0;
        const std::vector<double> with = residual(one);
        for (std::size_t row = 0; row < rows; ++row)
          matrix[row][column] = (with[row + 1] - start[row + 1]) / one[column + 1];
        matrix[column][rows] = -start[column + 1];
      }
      for (std::size_t pivot = 0; pivot < rows; ++pivot) {
        for (std::size_t row = pivot + 1; row < rows; ++row) {
          const double factor = matrix[row][pivot] / matrix[pivot][pivot];
          for (std::size_t j = pivot; j <= rows; ++j) matrix[row][j] -= factor * matrix[pivot][j];
        }
      }
      for (std::size_t row = rows; row-- > 0;) {
        double sum = matrix[row][rows];
        for (std::size_t j = row + 1; j < rows; ++j) sum -= matrix[row][j] * w[j + 1];
        w[row + 1] = sum / matrix[row][row];
      }
      std::vector<double> denser(levels_), hotter(levels_);
      for (std::size_t k = 0; k < levels_; ++k) denser[k] = density(w, k, 1), hotter[k] = energy(w, k, 1);
      for (std::size_t k = 0; k < levels_; ++k) {
        pressure[c][k] = ratio * (hotter[k] + n_.damping * (hotter[k] - at.energy[c][k]));
      }
      at.density[c] = denser, at.energy[c] = hotter, at.lift[c] = w;
    }
  }
  return at;
}

inline void DryTwin::filter() {
  const double strength = n_.dt * n_.diffusion;
  const auto twice = [&](Values& field) {
    Values once = field;
    for (std::size_t c = 0; c < cells(); ++c) {
      for (std::size_t k = 0; k < field[c].size(); ++k) {
        once[c][k] = laplacian(
            c, [&](std::size_t i) { return field[i][k]; }, 0.0);
      }
    }
    for (std::size_t c = 0; c < cells(); ++c) {
      for (std::size_t k = 0; k < field[c].size(); ++k) {
        field[c][k] -= strength * laplacian(
                                      c, [&](std::size_t i) { return once[i][k]; }, 0.0);
      }
    }
  };
  twice(now.density), twice(now.energy), twice(now.lift);
  Flow once = now.momentum;
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = 0; k < levels_; ++k) {
      once[c][k] = laplacian(
          c, [&](std::size_t i) { return now.momentum[i][k]; }, Vec{});
    }
  }
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = 0; k < levels_; ++k) {
      now.momentum[c][k] = flat(c, now.momentum[c][k] - laplacian(
                                                            c, [&](std::size_t i) { return once[i][k]; }, Vec{}) *
                                                            strength);
    }
  }
}

}  // namespace atmosphere
