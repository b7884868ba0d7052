// The variant `cuda` with its products in loops on the host, against the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "card_launch.hpp"
#include "kernel.hpp"
#include "matrix.hpp"

TEST_CASE("products of a card equal the reference within the bound of rounding, call after call") {
  for (const int n : {1, 2, 3, 7, 16, 65}) {
    const auto a = dgemm::random_matrix(n, 1), b = dgemm::random_matrix(n, 2), c = dgemm::random_matrix(n, 3);
    const auto card = dgemm::device::on_host::make_device(0);
    card->load(n, a.data(), b.data(), c.data());
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    std::vector<double> expected(c.data(), c.data() + size), got(size);
    for (int call = 0; call < 3; ++call) {
      dgemm::reference(n, dgemm::alpha, a.data(), b.data(), dgemm::beta, expected.data());
      CHECK(card->multiply(dgemm::alpha, dgemm::beta) >= 0);
      card->read(got.data());
      for (std::size_t i = 0; i < size; ++i)
        CHECK(std::abs(got[i] - expected[i]) <= 2.0 * (call + 1) * n * 0.25 * (n + 2) * 0x1p-52);
    }
  }
}
