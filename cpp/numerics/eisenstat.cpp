#include "numerics/eisenstat.hpp"

#include <cmath>

#include "numerics/with_width.hpp"

namespace tenken {

namespace {

// The triangle, scaled on both sides. Slots may name columns of the colours that are not being written.
Runs scaled_runs(const Coloured& a, const Triangle& t, bool lower, const double* root) {
  const double* const factors = t.factors();
  return make_runs(
      a.c, a.colour,
      [&, c = a.c](std::int64_t place, std::vector<Coupling>& row) {
        const auto k = static_cast<std::size_t>(place / c);
        for (std::int64_t slot = t.begin[k]; slot < t.begin[k + 1]; ++slot) {
          const auto at = static_cast<std::size_t>(slot * c + place % c);
          if (factors[at] != 0) row.push_back({t.column[at], factors[at] * root[place] * root[t.column[at]]});
        }
      },
      [&, lower](int colour, std::int64_t first) {
        const auto at = static_cast<std::size_t>(colour);
        return lower ? first + a.c <= a.colour[at] * a.c : first >= a.colour[at + 1] * a.c && first + a.c <= a.padded;
      });
}

// The part of A beside the diagonal that the factor does not have, scaled on both sides. No column is being written.
Runs rest_runs(const Coloured& a, const double* root) {
  return make_runs(
      a.c, a.colour,
      [&, c = a.c](std::int64_t place, std::vector<Coupling>& row) {
        const auto k = static_cast<std::size_t>(place / c);
        for (const Triangle* t : {&a.lower, &a.upper}) {
          const double* const factors = t->factors();
          for (std::int64_t slot = t->begin[k]; slot < t->begin[k + 1]; ++slot) {
            const auto at = static_cast<std::size_t>(slot * c + place % c);
            const double rest = t->value[at] - factors[at];
            if (rest != 0) row.push_back({t->column[at], rest * root[place] * root[t->column[at]]});
          }
        }
      },
      [&](int, std::int64_t first) { return first + a.c <= a.padded; });
}

template <int c>
TENKEN_INLINE Vec<double, c> all(double x) {
  return Vec<double, c>{} + x;
}

}  // namespace

Eisenstat::Eisenstat(const Coloured& a)
    : a_(&a), shift_(make_vector(a, "diagonal of a matrix")), root_(make_vector(a, "scale of a matrix")) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.padded); ++i) {
    root_[i] = std::sqrt(a.inverse[i]);
    shift_[i] = a.diagonal[i] * a.inverse[i] - 2;
  }
  lower_ = scaled_runs(a, a.lower, true, root_.data());
  upper_ = scaled_runs(a, a.upper, false, root_.data());
  if (a.lower.factor.size() > 0) rest_ = rest_runs(a, root_.data());
}

double Eisenstat::runs() const {
  const std::int64_t slots = lower_.slots() + upper_.slots() + rest_.slots();
  const std::int64_t lists = lower_.lists + upper_.lists + rest_.lists;
  return slots == 0 ? 1 : 1 - static_cast<double>(lists) / static_cast<double>(slots);
}

void Eisenstat::backward(Range chunks, double beta, const double* r, double* p, double* t) const {
  with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V direction = load<V>(r + k * c) + all<c>(beta) * load<V>(p + k * c);
      store(direction, p + k * c);
      store(summed<c, -1>(upper_, k, t, direction), t + k * c);
    }
  });
}

double Eisenstat::forward(Range chunks, const double* p, const double* t, double* v) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const double* const shift = shift_.data();
    const auto swept = [&](auto with_rest) {
      V dot = {};
      for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
        const V of_p = load<V>(p + k * c), of_t = load<V>(t + k * c);
        V start = of_p + load<V>(shift + k * c) * of_t;
        if constexpr (with_rest()) start = summed<c, 1>(rest_, k, t, start);
        const V of_v = summed<c, -1>(lower_, k, v, start);
        store(of_v, v + k * c);
        dot += of_p * (of_t + of_v);
      }
      return folded<c>(dot);
    };
    return rest_.slots() == 0 ? swept(std::false_type{}) : swept(std::true_type{});
  });
}

void Eisenstat::enter(Range chunks, double* r) const {
  with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      store(summed<c, -1>(lower_, k, r, load<V>(r + k * c)), r + k * c);
    }
  });
}

double Eisenstat::update(Range chunks, double alpha, const double* t, const double* v, double* x, double* r) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const V by = all<c>(alpha);
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_t = load<V>(t + k * c);
      const V rest = load<V>(r + k * c) - by * (of_t + load<V>(v + k * c));
      store(load<V>(x + k * c) + by * of_t, x + k * c);
      store(rest, r + k * c);
      dot += rest * rest;
    }
    return folded<c>(dot);
  });
}

double Eisenstat::true_residual2(Range chunks, const double* r) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const double* const root = root_.data();
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_r = summed<c, 1>(lower_, k, r, load<V>(r + k * c)) / load<V>(root + k * c);
      dot += of_r * of_r;
    }
    return folded<c>(dot);
  });
}

void Eisenstat::scale(Range chunks, double* b) const {
  for (std::int64_t i = chunks.first * a_->c; i < chunks.last * a_->c; ++i) b[i] *= root_.data()[i];
}

void Eisenstat::make_unsymmetric() {
  for (double& value : upper_.value) {
    if (value == 0) continue;
    value *= 2;
    return;
  }
}

Work Eisenstat::backward_work() const {
  return {.flop = 2 * upper_.entries + 2 * a_->rows,
          .bytes_read = upper_.bytes() + 16 * a_->rows,
          .bytes_written = 16 * a_->rows};
}
Work Eisenstat::forward_work() const {
  return {.flop = 2 * (lower_.entries + rest_.entries) + 5 * a_->rows,
          .bytes_read = lower_.bytes() + rest_.bytes() + 24 * a_->rows,
          .bytes_written = 8 * a_->rows};
}
Work Eisenstat::update_work() const {
  return {.flop = 7 * a_->rows, .bytes_read = 32 * a_->rows, .bytes_written = 16 * a_->rows};
}

}  // namespace tenken
