#include "kernel.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "proof.hpp"
#include "ref.hpp"
#include "work.hpp"

namespace NAME {
namespace {

// Numbers of few bits: a * x + y is exact, fused or not.
std::vector<double> numbers(std::size_t n, std::size_t step) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i * step % 1024) / 1024.0 - 0.5;
  return values;
}

// A number and an array that count what is done to them.
struct Tally {
  std::int64_t flop = 0;
  std::int64_t read = 0;
  std::int64_t written = 0;
};
struct Counted {
  Tally* tally;
};
Counted operator+(Counted a, Counted) {
  a.tally->flop += 1;
  return a;
}
Counted operator*(Counted a, Counted) {
  a.tally->flop += 1;
  return a;
}
struct Element {
  Tally* tally;
  operator Counted() const {
    tally->read += 8;
    return {tally};
  }
  void operator=(Counted) { tally->written += 8; }
};
struct Elements {
  Tally* tally;
  std::size_t n;
  std::size_t size() const { return n; }
  Element operator[](std::size_t) const { return {tally}; }
};

TEST_CASE("the kernel equals its twin for every remainder of a vector, and leaves alone what lies behind") {
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::vector<double> x = numbers(n, 37);
    std::vector<double> expected = numbers(n, 101);
    std::vector<double> y = expected;
    y.push_back(77);
    plain_axpy(0.25, x, expected);
    axpy(0.25, x, std::span(y).first(n));
    CHECK(y.back() == 77);
    y.pop_back();
    CHECK(y == expected);
  }
}

TEST_CASE("work is what the twin does, counted one by one") {
  Tally tally;
  const Elements x{&tally, 5};
  Elements y{&tally, 5};
  plain_axpy(Counted{&tally}, x, y);
  const tenken::Work work = axpy_work(5);
  CHECK(work.flop == tally.flop);
  CHECK(work.bytes_read == tally.read);
  CHECK(work.bytes_written == tally.written);
  CHECK(work.messages == 0);
}

TEST_CASE("the closed form holds exactly, and a lost update or a NaN shows") {
  std::vector<double> x(3000), y(3000);
  fill(x, y);
  for (int pass = 0; pass < 50; ++pass) axpy(factor, x, y);
  CHECK(wrong_elements(y, 50) == 0);
  CHECK(wrong_elements(y, 51) == 3000);
  y[2999] -= factor * x[2999];
  y[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK(wrong_elements(y, 50) == 2);
}

}  // namespace
}  // namespace NAME
