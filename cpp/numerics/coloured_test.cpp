#include "numerics/coloured.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/barrier.hpp"
#include "numerics/eisenstat.hpp"
#include "numerics/plain.hpp"
#include "numerics/poisson.hpp"
#include "testing/counting.hpp"

using namespace tenken;
using tenken::testing::Counted;
using tenken::testing::Watched;

namespace {

// Symmetric, diagonally dominant, couplings at random places.
Csr<double> random_spd(std::int32_t n) {
  const RandomStream random(3, 5);
  std::vector<Entry> entries;
  std::vector<double> diagonal(static_cast<std::size_t>(n), 1.0);
  std::uint64_t at = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int32_t j = 0; j < i; ++j) {
      if (random.uniform(at++) > 3.0 / n) continue;
      const double value = random.uniform(at++) - 0.6;
      entries.push_back({i, j, value});
      entries.push_back({j, i, value});
      diagonal[static_cast<std::size_t>(i)] += std::abs(value);
      diagonal[static_cast<std::size_t>(j)] += std::abs(value);
    }
  }
  for (std::int32_t i = 0; i < n; ++i) entries.push_back({i, i, diagonal[static_cast<std::size_t>(i)]});
  return csr_from(n, n, entries).first;
}

std::vector<double> random_vector(const Coloured& m, std::uint64_t stream) {
  const RandomStream random(9, stream);
  std::vector<double> x(static_cast<std::size_t>(m.padded));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = m.row[i] < 0 ? 0 : random.uniform(static_cast<std::uint64_t>(m.row[i])) - 0.5;
  return x;
}

// L of the plain twin at places i > j, and at the mirror image: nothing is shared with the kernels.
class PlainFactor {
 public:
  PlainFactor(const Csr<double>& a, const Coloured& m) : n_(m.padded), w_(static_cast<std::size_t>(n_ * n_)) {
    const auto entry = [&](std::int64_t i, std::int64_t j) -> const double* {
      const std::int32_t row = m.row[static_cast<std::size_t>(i)], column = m.row[static_cast<std::size_t>(j)];
      return row < 0 || column < 0 ? nullptr : find_entry(a, row, column);
    };
    for (std::int64_t i = 0; i < n_; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        const double* const found = entry(i, j);
        w_[static_cast<std::size_t>(i * n_ + j)] = found == nullptr ? (i == j ? 1.0 : 0.0) : *found;
      }
    }
    plain::incomplete_cholesky(n_, w_, [&](std::int64_t i, std::int64_t j) { return entry(i, j) != nullptr; });
  }
  double operator()(std::size_t i, std::size_t j) const {
    return w_[std::max(i, j) * static_cast<std::size_t>(n_) + std::min(i, j)];
  }

 private:
  std::int64_t n_;
  std::vector<double> w_;
};

// M z by its definition, (L + E) E^-1 (E + U).
std::vector<double> product_with_m(const PlainFactor& entry, const Coloured& m, const std::vector<double>& z) {
  const auto n = static_cast<std::size_t>(m.padded);
  std::vector<double> y(n), result(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = z[i];
    for (std::size_t j = i + 1; j < n; ++j) y[i] += m.inverse[i] * entry(i, j) * z[j];
  }
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = y[i] / m.inverse[i];
    for (std::size_t j = 0; j < i; ++j) result[i] += entry(i, j) * y[j];
  }
  return result;
}

template <class Use>
void with_matrices(const Use& use) {
  for (const Csr<double>& a : {poisson_matrix(5, 6, 4), random_spd(117)}) {
    for (const int c : {1, 2, 4, 8, 16, 32}) {
      for (const int sigma : {1, 2 * c}) {
        const Ordering colours = greedy_colours(a, cuthill_mckee(a).order);
        use(a, make_coloured(a, colours, c, sigma));
      }
    }
  }
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

double norm2(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

}  // namespace

TEST_CASE("rows come once, colours begin at chunks, padding is 1 on the diagonal alone") {
  with_matrices([](const Csr<double>& a, const Coloured& m) {
    std::vector<int> seen(static_cast<std::size_t>(a.rows));
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.padded); ++i) {
      if (m.row[i] >= 0) {
        ++seen[static_cast<std::size_t>(m.row[i])];
      } else {
        CHECK(m.diagonal[i] == 1);
        CHECK(m.inverse[i] == 1);
      }
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    CHECK(m.lower.entries == m.upper.entries);
    CHECK(m.lower.entries + m.upper.entries + a.rows == a.entries());
    CHECK(m.fill() > 0);
    CHECK(m.fill() <= 1);
  });
}

TEST_CASE("the product is that of the assembled matrix, also in parts of threads") {
  with_matrices([](const Csr<double>& a, const Coloured& m) {
    const auto x = random_vector(m, 1);
    std::vector<double> y(x.size(), -99), of_a(static_cast<std::size_t>(a.rows)), expected(of_a), got(of_a);
    scatter_rows(m, x.data(), of_a.data());
    multiply(a, of_a.data(), expected.data());
    for (int thread = 0; thread < 3; ++thread) {
      for (int colour = 0; colour < m.colours(); ++colour)
        multiply(chunks_of(m, colour, thread, 3), m, x.data(), y.data());
    }
    scatter_rows(m, y.data(), got.data());
    CHECK(distance(got, expected) < 1e-13);
    gather_rows(m, of_a.data(), y.data());
    CHECK(y == x);
  });
}

TEST_CASE("substitution inverts M, and M has the diagonal of A") {
  with_matrices([](const Csr<double>& a, const Coloured& m) {
    const auto r = random_vector(m, 2);
    std::vector<double> z(r.size(), -99);
    for (int colour = 0; colour < m.colours(); ++colour) forward(chunks_of(m, colour, 0, 1), m, r.data(), z.data());
    for (int colour = m.colours() - 1; colour >= 0; --colour) backward(chunks_of(m, colour, 0, 1), m, z.data());
    const PlainFactor factor(a, m);
    CHECK(distance(product_with_m(factor, m, z), r) < 1e-12);
    for (const std::size_t i : {std::size_t{0}, r.size() / 2, r.size() - 1}) {
      std::vector<double> unit(r.size());
      unit[i] = 1;
      CHECK(product_with_m(factor, m, unit)[i] == doctest::Approx(m.diagonal[i]).epsilon(1e-13));
    }
  });
}

TEST_CASE("Eisenstat's operator is (1 + L)^-1 A (1 + U)^-1 of the scaled matrix") {
  with_matrices([](const Csr<double>& a, const Coloured& m) {
    const Eisenstat form(m);
    CHECK(form.runs() <= 1);
    const auto r = random_vector(m, 3);
    const auto n = r.size();
    std::vector<double> p = random_vector(m, 4), before = p, t(n, -99), v(n, -99), x(n), rest = r;
    for (int colour = m.colours() - 1; colour >= 0; --colour) {
      form.backward(chunks_of(m, colour, 0, 1), 0.5, r.data(), p.data(), t.data());
    }
    double pw = 0;
    for (int colour = 0; colour < m.colours(); ++colour) {
      pw += form.forward(chunks_of(m, colour, 0, 1), p.data(), t.data(), v.data());
    }
    std::vector<double> direction(n), w(n), expected(n), scaled(n);
    double of_dot = 0;
    for (std::size_t i = 0; i < n; ++i) {
      direction[i] = r[i] + 0.5 * before[i];
      w[i] = t[i] + v[i];
      of_dot += p[i] * w[i];
    }
    CHECK(distance(p, direction) < 1e-15);
    CHECK(pw == doctest::Approx(of_dot).epsilon(1e-12));
    // (1 + L) w against S A S t, and (1 + U) t against p.
    std::vector<double> st(n);
    for (std::size_t i = 0; i < n; ++i) st[i] = std::sqrt(m.inverse[i]) * t[i];
    multiply({0, m.chunks()}, m, st.data(), expected.data());
    std::vector<double> left = w, right = t;
    const PlainFactor factor(a, m);
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] *= std::sqrt(m.inverse[i]);
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        const double value = factor(i, j) * std::sqrt(m.inverse[i] * m.inverse[j]);
        (j < i ? left[i] : right[i]) += value * (j < i ? w[j] : t[j]);
      }
    }
    CHECK(distance(left, expected) < 1e-12);
    CHECK(distance(right, p) < 1e-12);

    const double rr = form.update({0, m.chunks()}, 0.25, t.data(), v.data(), x.data(), rest.data());
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(x[i] == doctest::Approx(0.25 * t[i]));
      CHECK(rest[i] == doctest::Approx(r[i] - 0.25 * w[i]).epsilon(1e-12));
    }
    CHECK(rr == doctest::Approx(norm2(rest)).epsilon(1e-12));
    // enter() is undone by what true_residual2 looks at.
    std::vector<double> entered = r;
    for (int colour = 0; colour < m.colours(); ++colour) form.enter(chunks_of(m, colour, 0, 1), entered.data());
    for (std::size_t i = 0; i < n; ++i) scaled[i] = r[i] / std::sqrt(m.inverse[i]);
    CHECK(form.true_residual2({0, m.chunks()}, entered.data()) == doctest::Approx(norm2(scaled)).epsilon(1e-12));
  });
}

TEST_CASE("columns of a mesh are mostly runs") {
  const Csr<double> a = poisson_matrix(40, 40, 40);
  const Coloured m = make_coloured(a, cm_rcm(a, 10), 8);
  const Eisenstat form(m);
  CHECK(form.runs() > 0.6);
  CHECK(make_coloured(a, cm_rcm(a, 10), 1).fill() == 1);
  CHECK(form.backward_work().bytes_read < backward_work(m).bytes_read);
}

namespace {

// The arrays of a triangle in chunks of one row, which are compressed rows, and what of them is read.
struct WatchedTriangle {
  Watched<std::int32_t> begin, column;
  Watched<Counted> value;

  explicit WatchedTriangle(const Triangle& t)
      : begin(std::vector(t.begin.begin(), t.begin.end())),
        column(std::vector(t.column.begin(), t.column.end())),
        value(std::vector<Counted>(t.value.begin(), t.value.end())) {}
  std::int64_t read() const { return 4 * (begin.read() + column.read()) + 8 * value.read(); }
};

std::vector<Counted> counted(const std::vector<double>& x) { return {x.begin(), x.end()}; }

template <class... Vectors>
Work counted_work(std::int64_t of_matrix, const Vectors&... vectors) {
  return {.flop = testing::counted_flop,
          .bytes_read = of_matrix + 8 * (vectors.read() + ...),
          .bytes_written = 8 * (vectors.written() + ...)};
}

}  // namespace

TEST_CASE("stated work is what the plain twins do, counted, and kernels agree with them") {
  const Csr<double> a = poisson_matrix(3, 4, 5);
  const Coloured m = make_coloured(a, cm_rcm(a, 3), 1);
  const Eisenstat form(m);
  const std::int64_t n = m.padded;
  const auto size = static_cast<std::size_t>(n);
  const auto r = random_vector(m, 5), p = random_vector(m, 6);
  const auto same = [&](Watched<Counted>& twin, const std::vector<double>& kernel) {
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(static_cast<Counted>(twin[i]).value == doctest::Approx(kernel[i]).epsilon(1e-13));
    }
  };
  std::vector<double> z(size), inverse(m.inverse.begin(), m.inverse.end());
  {
    WatchedTriangle lower(m.lower);
    Watched<Counted> of_r(counted(r)), of_z(size), e(counted(inverse));
    testing::counted_flop = 0;
    plain::forward<Counted>(n, lower, e, of_r, of_z);
    CHECK(forward_work(m) == counted_work(lower.read(), of_r, of_z, e));
    for (int colour = 0; colour < m.colours(); ++colour) forward(chunks_of(m, colour, 0, 1), m, r.data(), z.data());
    same(of_z, z);
  }
  {
    WatchedTriangle upper(m.upper);
    Watched<Counted> of_z(counted(z)), e(counted(inverse));
    testing::counted_flop = 0;
    plain::backward<Counted>(n, upper, e, of_z);
    CHECK(backward_work(m) == counted_work(upper.read(), of_z, e));
    for (int colour = m.colours() - 1; colour >= 0; --colour) backward(chunks_of(m, colour, 0, 1), m, z.data());
    same(of_z, z);
  }
  // Eisenstat's sweeps over the scaled triangles; runs of one row are columns.
  const auto scaled = [&](const Triangle& t) {
    WatchedTriangle result(t);
    for (std::size_t i = 0; i < size; ++i) {
      for (auto k = static_cast<std::size_t>(t.begin[i]); k < static_cast<std::size_t>(t.begin[i + 1]); ++k) {
        result.value[k] = Counted(t.value[k] * std::sqrt(inverse[i] * inverse[static_cast<std::size_t>(t.column[k])]));
      }
    }
    return WatchedTriangle(result);
  };
  const auto columns_of = [](const Triangle& t) {
    return 8 * t.entries + 4 * t.entries + 4 * static_cast<std::int64_t>(t.begin.size());
  };
  std::vector<double> p1 = p, t(size), v(size), x(size), r1 = r;
  {
    WatchedTriangle upper = scaled(m.upper);
    Watched<Counted> of_r(counted(r)), of_p(counted(p)), of_t(size);
    testing::counted_flop = 0;
    plain::sweep_back(n, upper, Counted(0.5), of_r, of_p, of_t);
    CHECK(form.backward_work() == counted_work(columns_of(m.upper), of_r, of_p, of_t));
    for (int colour = m.colours() - 1; colour >= 0; --colour) {
      form.backward(chunks_of(m, colour, 0, 1), 0.5, r.data(), p1.data(), t.data());
    }
    same(of_p, p1);
    same(of_t, t);
  }
  {
    WatchedTriangle lower = scaled(m.lower);
    std::vector<double> shift(size);
    for (std::size_t i = 0; i < size; ++i) shift[i] = m.diagonal[i] * inverse[i] - 2;
    Watched<Counted> of_p(counted(p1)), of_t(counted(t)), of_v(size), d(counted(shift));
    testing::counted_flop = 0;
    Triangle none;  // of the rest of A: the factor has all its entries
    none.begin = Buffer<std::int32_t>(size + 1, Pages::any, "starts of rows without entries");
    WatchedTriangle rest(none);
    const Counted dot = plain::sweep_on<Counted>(n, lower, rest, d, of_p, of_t, of_v);
    CHECK(form.forward_work() == counted_work(columns_of(m.lower), of_p, of_t, of_v, d));
    double pw = 0;
    for (int colour = 0; colour < m.colours(); ++colour) {
      pw += form.forward(chunks_of(m, colour, 0, 1), p1.data(), t.data(), v.data());
    }
    same(of_v, v);
    CHECK(dot.value == doctest::Approx(pw).epsilon(1e-12));
  }
  {
    Watched<Counted> of_t(counted(t)), of_v(counted(v)), of_x(size), of_r(counted(r));
    testing::counted_flop = 0;
    const Counted dot = plain::step(n, Counted(0.25), of_t, of_v, of_x, of_r);
    CHECK(form.update_work() == counted_work(0, of_t, of_v, of_x, of_r));
    CHECK(dot.value == doctest::Approx(form.update({0, m.chunks()}, 0.25, t.data(), v.data(), x.data(), r1.data())));
    same(of_x, x);
    same(of_r, r1);
  }
  const std::int64_t couplings = a.entries() - n;
  CHECK(multiply_work(m) ==
        Work{.flop = 2 * couplings + n, .bytes_read = 12 * couplings + 8 * (n + 1) + 16 * n, .bytes_written = 8 * n});
}

TEST_CASE("shapes that do not exist are refused") {
  const Csr<double> a = poisson_matrix(2, 2, 2);
  const Ordering colours = cm_rcm(a, 2);
  CHECK_THROWS_WITH_AS(make_coloured(a, colours, 3), "chunks of 3 rows do not exist here; use 1, 2, 4, 8, 16 or 32",
                       UserError);
  CHECK_THROWS_WITH_AS(make_coloured(a, colours, 4, 6), "sigma = 6 must be 1 or a multiple of the chunk's 4 rows",
                       UserError);
}

TEST_CASE("triangles of rows that touch are found") {
  CHECK(without_triangles(poisson_matrix(4, 5, 3)));
  const Entry entries[] = {{0, 0, 3},  {1, 1, 3},  {2, 2, 3},  {0, 1, -1}, {1, 0, -1},
                           {0, 2, -1}, {2, 0, -1}, {1, 2, -1}, {2, 1, -1}};
  CHECK_FALSE(without_triangles(csr_from(3, 3, entries).first));
}

TEST_CASE("nobody passes the barrier before all are there, with more threads than processors too") {
  for (const int threads : {1, 2, 3, 8}) {
    SpinBarrier barrier(threads, threads > 2 ? 0 : 300);
    std::atomic<int> arrived{0};
    std::atomic<int> early{0};
    constexpr int rounds = 200;
#pragma omp parallel num_threads(threads)
    for (int round = 1; round <= rounds; ++round) {
      ++arrived;
      barrier.wait();
      if (arrived < round * threads) ++early;
      barrier.wait();
    }
    CHECK(early == 0);
    CHECK(arrived == rounds * threads);
  }
}
