#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "card_launch.hpp"
#include "freivalds.hpp"
#include "kernel.hpp"
#include "matrix.hpp"
#include "measure/blas_threads.hpp"
#include "measure/check.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;

void body(Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr dgemm::device::Form on_card{dgemm::device::on_card::cards, dgemm::device::on_card::make_device};
    if (check.variant() == "cuda") return dgemm::launch_on_card(check, on_card);
  }
  using dgemm::alpha, dgemm::beta;
  const std::int64_t n = check.parameters().integer("n");
  const std::vector<std::int64_t> teams = check.parameters().integers("teams");
  const std::int64_t largest = *std::max_element(teams.begin(), teams.end());
  if (largest > check.threads()) {
    refuse("--teams " + std::to_string(largest) + " needs --threads " + std::to_string(largest) + " or more");
  }
  const double bytes = 3.0 * 8.0 * static_cast<double>(n * n);
  check.require_memory(bytes, "dgemm");

  const Buffer<double> a = dgemm::random_matrix(n, 1);
  const Buffer<double> b = dgemm::random_matrix(n, 2);
  Buffer<double> c = dgemm::random_matrix(n, 3);
  dgemm::Freivalds freivalds(n, alpha, a.data(), b.data(), beta, c.data(), 4);
  const BlasThreads blas(bound_processors(check.threads()), dgemm::multiply_small);
  check.library("blas", blas.description());

  check.repeat([&](int) {
    for (std::size_t t = 0; t < teams.size(); ++t) {
      blas.use(static_cast<int>(teams[t]));
      MPI_Barrier(check.comm());  // all cores at once: they share power and memory
      {
        Section s{this_check::section::multiply, static_cast<int>(t), dgemm::work(n)};
        dgemm::multiply(n, alpha, a.data(), b.data(), beta, c.data());
      }
      freivalds.residual(c.data());
    }
    blas.use(check.threads());
  });
  check.prove(this_check::validity::freivalds, check.max_over_ranks(freivalds.worst()));
  check.value("working_set_bytes", "B", bytes * check.ranks());
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
