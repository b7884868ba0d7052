#include "numerics/fft.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "base/random.hpp"

using namespace tenken;

namespace {

using Complex = std::complex<double>;
using Extents = std::vector<int>;

constexpr double tolerance = 1e-12;  // of the largest expected number
const std::vector<Extents> shapes{{1}, {2}, {7}, {12}, {101}, {3, 4}, {8, 5}, {1, 6}, {2, 3, 4}, {5, 1, 6}, {4, 7, 9}};

std::size_t volume(const Extents& extents) {
  return static_cast<std::size_t>(std::accumulate(extents.begin(), extents.end(), 1, std::multiplies()));
}

// Where number `at` of the row-major array lies.
std::vector<int> index_of(std::size_t at, const Extents& extents) {
  std::vector<int> index(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = static_cast<int>(at) % extents[d];
    at /= static_cast<std::size_t>(extents[d]);
  }
  return index;
}

std::vector<Complex> random_numbers(std::size_t n) {
  const RandomStream random(17, n);
  std::vector<Complex> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = {random.uniform(2 * i) - 0.5, random.uniform(2 * i + 1) - 0.5};
  return x;
}

// X_k = sum over j of x_j exp(sign 2 pi i (j_1 k_1 / n_1 + ...)), as it is written. Products are taken modulo the
// extent as integers, so that the angle is exact to rounding.
std::vector<Complex> direct_sum(const Extents& extents, const std::vector<Complex>& x, int sign) {
  std::vector<Complex> sums(x.size());
  for (std::size_t to = 0; to < x.size(); ++to) {
    const auto k = index_of(to, extents);
    for (std::size_t from = 0; from < x.size(); ++from) {
      const auto j = index_of(from, extents);
      double turns = 0;
      for (std::size_t d = 0; d < extents.size(); ++d)
        turns += static_cast<double>(j[d] * k[d] % extents[d]) / extents[d];
      sums[to] += x[from] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
    }
  }
  return sums;
}

// The half of a spectrum that a real transform gives.
std::vector<Complex> half(const Extents& extents, const std::vector<Complex>& whole) {
  std::vector<Complex> kept;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (index_of(at, extents).back() <= extents.back() / 2) kept.push_back(whole[at]);
  }
  return kept;
}

template <class T>
double error_of(const std::vector<T>& found, const std::vector<T>& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    const double off = std::abs(found[i] - expected[i]);
    error = off <= error ? error : off;  // a NaN stays
  }
  return error / largest;
}

}  // namespace

TEST_CASE("complex transforms agree with the direct sum in both directions, in place and not") {
  for (const Extents& extents : shapes) {
    CAPTURE(extents.size());
    CAPTURE(extents.back());
    const auto x = random_numbers(volume(extents));
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const auto expected = direct_sum(extents, x, direction == Direction::forward ? -1 : 1);
      for (const Effort effort : {Effort::estimate, Effort::measure}) {
        std::vector<Complex> in(x.size()), out(x.size()), place(x.size());
        const ComplexFft apart(extents, in.data(), out.data(), direction, effort);
        const ComplexFft in_place(extents, place.data(), place.data(), direction, effort);
        in = place = x;
        apart.run();
        in_place.run();
        CHECK(error_of(out, expected) <= tolerance);
        CHECK(error_of(place, expected) <= tolerance);
        CHECK(in == x);
      }
    }
  }
}

TEST_CASE("real transforms agree with the direct sum, keep their input, and come back times the number of points") {
  for (const Extents& extents : shapes) {
    CAPTURE(extents.size());
    CAPTURE(extents.back());
    std::vector<Complex> x = random_numbers(volume(extents));
    for (Complex& number : x) number = number.real();
    const auto expected = half(extents, direct_sum(extents, x, -1));
    std::vector<double> values(x.size()), back(x.size());
    std::vector<Complex> spectrum(expected.size());
    const RealFft forward(extents, values.data(), spectrum.data());
    const RealFft backward(extents, spectrum.data(), back.data());
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = x[i].real();
    const auto given = values;
    forward.run();
    CHECK(error_of(spectrum, expected) <= tolerance);
    CHECK(values == given);
    backward.run();
    for (double& value : back) value /= static_cast<double>(x.size());
    CHECK(error_of(back, given) <= tolerance);
  }
}

TEST_CASE("many lines agree with the direct sum of each, contiguous, side by side and from one form to the other") {
  struct Aligned {
    explicit Aligned(std::size_t n) : memory(n + 4) {
      begin = memory.data();
      while (!ManyFft::aligned(begin)) ++begin;
    }
    std::vector<Complex> memory;
    Complex* begin;
  };
  for (const int n : {1, 5, 12, 45}) {
    for (const int lines : {1, 3, 8}) {
      CAPTURE(n);
      CAPTURE(lines);
      const auto size = static_cast<std::size_t>(n * lines);
      const FftLines contiguous{1, n}, beside{lines, 1}, apart{2 * lines, 2};
      const auto x = random_numbers(size);  // line after line
      const auto at = [&](FftLines of, std::size_t i) {
        const auto line = static_cast<int>(i) / n, k = static_cast<int>(i) % n;
        return line * of.distance + k * of.stride;
      };
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        std::vector<Complex> expected;
        for (std::size_t line = 0; line < size; line += static_cast<std::size_t>(n)) {
          const auto first = x.begin() + static_cast<std::ptrdiff_t>(line);
          for (const Complex& sum : direct_sum({n}, {first, first + n}, direction == Direction::forward ? -1 : 1))
            expected.push_back(sum);
        }
        for (const auto& [from, to] : {std::pair{contiguous, contiguous},
                                       {beside, beside},
                                       {contiguous, beside},
                                       {beside, contiguous},
                                       {apart, apart}}) {
          const ManyFft fft(n, lines, from, to, direction);
          for (int turn = 0; turn < 2; ++turn) {  // new arrays each time
            Aligned in(2 * size), out(2 * size);
            for (std::size_t i = 0; i < size; ++i) in.begin[at(from, i)] = x[i];
            const auto given = in.memory;
            fft.run(in.begin, out.begin);
            CHECK(in.memory == given);
            std::vector<Complex> found(size);
            for (std::size_t i = 0; i < size; ++i) found[i] = out.begin[at(to, i)];
            CHECK(error_of(found, expected) <= tolerance);
          }
        }
      }
    }
  }
}

TEST_CASE("arrays and lines on which many transforms cannot run are refused") {
  const ManyFft fft(4, 1, {}, {}, Direction::forward, Effort::estimate);
  alignas(64) std::array<double, 32> numbers{};
  const auto at = [&](std::size_t i) { return reinterpret_cast<Complex*>(numbers.data() + i); };
  CHECK_THROWS_AS(fft.run(at(0), at(0)), std::invalid_argument);
  CHECK_NOTHROW(fft.run(at(0), at(16)));
  if (!ManyFft::aligned(at(1))) {
    CHECK_THROWS_AS(fft.run(at(1), at(16)), std::invalid_argument);
    CHECK_THROWS_AS(fft.run(at(0), at(17)), std::invalid_argument);
  }
  CHECK_THROWS_AS(ManyFft(0, 1, {}, {}, Direction::forward), UserError);
  CHECK_THROWS_AS(ManyFft(4, 0, {}, {}, Direction::forward), UserError);
  CHECK_THROWS_AS(ManyFft(4, 2, {1, 0}, {}, Direction::forward), UserError);
}

TEST_CASE("extents that no transform has are refused by name") {
  std::vector<Complex> x(1);
  const auto refusal = [&](const Extents& extents) -> std::string {
    try {
      ComplexFft(extents, x.data(), x.data(), Direction::forward);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [extents, listed] :
       {std::pair{Extents{}, ""}, std::pair{Extents{4, 0}, "4,0"}, std::pair{Extents{1, 1, 1, 1}, "1,1,1,1"}}) {
    CHECK(refusal(extents) == "a Fourier transform of extents '" + std::string(listed) +
                                  "' is not possible; use 1 to 3 extents of at least 1");
  }
}
