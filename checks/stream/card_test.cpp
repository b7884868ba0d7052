// The kernels of the variant `cuda` as loops on the host, against the kernels of processors.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "arrays.hpp"
#include "base/random.hpp"
#include "card_launch.hpp"
#include "closed_form.hpp"
#include "gpu/launch.hpp"
#include "limits.hpp"

using stream::device::Array;
using stream::device::Device;

namespace {

constexpr double tolerance = 1e-13;
constexpr Array every[stream::device::arrays] = {Array::a, Array::b, Array::c, Array::copied};

std::vector<double> random_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<double> numbers;
  const tenken::RandomStream stream(seed, 0);
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(stream.uniform(i) + 0.5);
  return numbers;
}

std::vector<double> contents(const Device& card, Array array, std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  card.read(values.data(), array, 0, n);
  return values;
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double greatest = x.size() == y.size() ? 0 : 1;
  for (std::size_t i = 0; i < x.size(); ++i) stream::raise(greatest, std::abs(x[i] - y[i]) / std::abs(y[i]));
  return greatest;
}

// Two sweeps over n elements, by processors and by the kernels; an element more behind each array stays as it was.
void compare(std::int64_t n) {
  CAPTURE(n);
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> a = random_numbers(n + 1, 1), b(size + 1, 77), c(size + 1, 77);
  const auto card = stream::device::on_host::make_device(0);
  card->allocate(n + 1);
  for (const Array array : every) card->write(array, 0, n + 1, (array == Array::a ? a : b).data());
  const stream::Kernels& plain = stream::plain();
  for (int sweep = 0; sweep < 2; ++sweep) {
    plain.copy(c.data(), a.data(), size);
    plain.scale(b.data(), c.data(), stream::factor, size);
    plain.add(c.data(), a.data(), b.data(), size);
    plain.triad(a.data(), b.data(), c.data(), stream::factor, size);
    for (const double ns : card->sweep(n)) CHECK(ns >= 0);
  }
  CHECK(difference(contents(*card, Array::a, n + 1), a) <= tolerance);
  CHECK(difference(contents(*card, Array::b, n + 1), b) <= tolerance);
  CHECK(difference(contents(*card, Array::c, n + 1), c) <= tolerance);
  CHECK(difference(contents(*card, Array::copied, n + 1), c) <= tolerance);
  const double sum = stream::reference().read(a.data(), size);
  CHECK(std::abs(card->sum() - sum) <= tolerance * std::abs(sum));
}

}  // namespace

TEST_CASE("kernels of a card give the arrays and the sum of processors at any size") {
  for (std::int64_t n = 1; n <= 20; ++n) compare(n);
  for (const std::int64_t n : {511, 512, 513, 8191, 20001}) compare(n);
}

TEST_CASE("the order of threads changes nothing") {
  tenken::gpu::falling_threads(true);
  for (const std::int64_t n : {7, 513, 20001}) compare(n);
  tenken::gpu::falling_threads(false);
}

TEST_CASE("the closed form proves right sweeps, and detects a wrong element of each array and a lost sweep") {
  constexpr std::int64_t n = (1 << 20) + 3;  // more than the host has at a time
  const auto card = stream::device::on_host::make_device(0);
  card->allocate(n);
  stream::fill(*card, n);
  for (int sweep = 0; sweep < 3; ++sweep) card->sweep(n);
  const stream::CardProof proof = stream::proof_of(*card, n, 3);
  CHECK(proof.error <= tolerance + proof.rounding);
  CHECK(proof.read_error <= tolerance + proof.read_rounding);
  CHECK(stream::proof_of(*card, n, 2).error > 0.01);
  CHECK(stream::proof_of(*card, n, 2).read_error > 0.01);
  for (const Array array : every) {
    const std::vector<double> right = contents(*card, array, n);
    const double wrong = right.back() * (1 + 1e-12);
    card->write(array, n - 1, 1, &wrong);
    CHECK(stream::proof_of(*card, n, 3).error > tolerance + proof.rounding);
    card->write(array, n - 1, 1, &right.back());
  }
  card->sweep(n - 1);
  CHECK(stream::proof_of(*card, n, 4).read_error > 1e-7);
}

TEST_CASE("arrays that fit in the cache of a card are named with the smallest size that works") {
  CHECK(stream::refusal_on_card(1 << 20, "NVIDIA X", 3 << 20).find("the smallest --size that works is 1025KiB") !=
        std::string::npos);
  CHECK(stream::refusal_on_card(1025 << 10, "NVIDIA X", 3 << 20).empty());
  CHECK(stream::refusal_on_card(1, "a card that reports no cache", 0).empty());
}
