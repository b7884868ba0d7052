#include "numerics/vectors.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <cstring>
#include <vector>

#include "base/random.hpp"
#include "numerics/dots.hpp"
#include "numerics/plain.hpp"
#include "testing/counting.hpp"

using namespace tenken;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

const std::int64_t lengths[] = {0, 1, 31, 33, 511, 513, 5000, 600'001};

template <class Real>
std::vector<Real> numbers(std::int64_t n, std::uint64_t stream) {
  const RandomStream random(3, stream);
  std::vector<Real> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(random.uniform(i) - 0.4);
  return x;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST_CASE("shares of a team hold every item once, in order, and differ by one at most") {
  for (const std::int64_t n : {0, 1, 7, 8, 1000}) {
    for (const int threads : {1, 3, 8}) {
      std::int64_t next = 0;
      for (int t = 0; t < threads; ++t) {
        const Range mine = share_of(n, t, threads);
        CHECK(mine.first == next);
        CHECK((mine.size() == n / threads || mine.size() == n / threads + 1));
        next = mine.last;
      }
      CHECK(next == n);
    }
  }
}

TEST_CASE("blocks hold every item once and are a function of the length") {
  for (const std::int64_t n : lengths) {
    const Blocks blocks(n);
    CHECK(blocks.count() <= 1024);
    CHECK(blocks.size() % 64 == 0);
    std::int64_t next = 0;
    for (std::int64_t b = 0; b < blocks.count(); ++b) {
      CHECK(blocks[b].first == next);
      CHECK(blocks[b].size() > 0);
      next = blocks[b].last;
    }
    CHECK(next == n);
    CHECK(blocks.items({0, blocks.count()}) == Range{0, n});
  }
}

TEST_CASE_TEMPLATE("scalar products have the same bits on 1 to 8 threads, alone and in a team", Real, double, float) {
  for (const std::int64_t n : lengths) {
    const std::vector<Real> x = numbers<Real>(n, 1), y = numbers<Real>(n, 2);
    Dots dots(n);
    long double expected = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      expected += static_cast<long double>(x[i]) * y[i];
      size += std::abs(static_cast<long double>(x[i]) * y[i]);
    }
    omp_set_num_threads(1);
    const double one = dots(x.data(), y.data());
    CHECK(std::abs(one - static_cast<double>(expected)) <= 1e-14 * static_cast<double>(size));
    for (int threads = 1; threads <= 8; ++threads) {
      omp_set_num_threads(threads);
      CHECK(same_bits(dots(x.data(), y.data()), one));
      std::vector<double> of_thread(static_cast<std::size_t>(threads)), again(of_thread);
#pragma omp parallel
      {
        const auto me = static_cast<std::size_t>(omp_get_thread_num());
        of_thread[me] = dots(x.data(), y.data());
        again[me] = dots(x.data(), x.data());
      }
      for (const double sum : of_thread) CHECK(same_bits(sum, one));
      for (const double sum : again) CHECK(same_bits(sum, again[0]));
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE_TEMPLATE("updates agree with the formula on every length, alone and in a team", Real, double, float) {
  for (const std::int64_t n : lengths) {
    const std::vector<Real> x = numbers<Real>(n, 1), y = numbers<Real>(n, 2);
    const Real a = Real(1.5), b = Real(-0.75);
    for (const bool team : {false, true}) {
      std::vector<Real> w(x.size()), u(y), v(y), s(x.size());
      std::vector<float> narrow(x.size());
      const auto all = [&] {
        waxpby(n, a, x.data(), b, y.data(), w.data());
        axpy(n, a, x.data(), u.data());
        xpay(n, x.data(), b, v.data());
        scale(n, a, x.data(), s.data());
        copy(n, x.data(), narrow.data());
      };
      omp_set_num_threads(3);
      if (team) {
#pragma omp parallel
        all();
      } else {
        all();
      }
      std::int64_t wrong = 0;
      const auto differ = [](Real p, Real q) { return std::abs(p - q) > Real(1e-6) * std::abs(q) + Real(1e-6); };
      std::vector<Real> twin(x.size());
      plain::waxpby(n, a, x, b, y, twin);
      for (std::size_t i = 0; i < x.size(); ++i) {
        wrong += differ(w[i], twin[i]) || differ(u[i], y[i] + a * x[i]) || differ(v[i], x[i] + b * y[i]) ||
                 s[i] != a * x[i] || narrow[i] != static_cast<float>(x[i]);
      }
      CHECK(wrong == 0);
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("arrays are zero, and a filled one is full") {
  Buffer<double> x = make_array<double>(1000, "a test");
  for (const double v : x) CHECK(v == 0);
  fill(1000, 2.5, x.data());
  for (const double v : x) CHECK(v == 2.5);
}

TEST_CASE("the stated work is counted") {
  constexpr std::int64_t n = 10;
  Watched<Counted> x(n), y(n), w(n);
  counted_flop = 0;
  plain::waxpby(n, Counted(2), x, Counted(3), y, w);
  CHECK(waxpby_work(n, 8) ==
        Work{.flop = counted_flop, .bytes_read = 8 * (x.read() + y.read()), .bytes_written = 8 * w.written()});
  Watched<Counted> p(n), q(n);
  counted_flop = 0;
  plain::dot<Counted>(n, p, q);
  CHECK(dot_work(n, 8) == Work{.flop = counted_flop, .bytes_read = 8 * (p.read() + q.read())});
  Watched<Counted> r(n);
  plain::dot<Counted>(n, r, r);
  CHECK(norm_work(n, 8).bytes_read == 8 * r.read());
  Watched<Counted> u(n), v(n);
  counted_flop = 0;
  for (std::size_t i = 0; i < n; ++i) v[i] += Counted(2) * u[i];
  CHECK(axpy_work(n, 8) ==
        Work{.flop = counted_flop, .bytes_read = 8 * (u.read() + v.read()), .bytes_written = 8 * v.written()});
}
