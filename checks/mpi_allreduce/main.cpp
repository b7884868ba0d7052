#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "parallel/batch.hpp"
#include "reduction.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace {

using namespace tenken;
using namespace this_check;
using mpi_allreduce::Reduction;

void body(Check& check) {
  const std::vector<std::int64_t> sizes = check.parameters().integers("sizes");
  std::vector<Reduction> reductions;
  std::vector<int> calls;
  std::uint64_t sample = 0;
  for (const std::int64_t size : sizes) {
    if (size % 8 != 0) refuse("--sizes " + std::to_string(size) + " must be a multiple of 8, the bytes of a number");
    Reduction& reduction = reductions.emplace_back(check.comm(), static_cast<std::size_t>(size));
    calls.push_back(batch_of(check.comm(), [&](int n) {
      reduction.prepare(++sample, n);
      reduction.run();
    }));
  }
  const auto barriers = [&](int n) {
    for (int i = 0; i < n; ++i) MPI_Barrier(check.comm());
  };
  const int barrier_calls = batch_of(check.comm(), barriers);

  std::int64_t wrong = 0;
  check.repeat([&](int) {
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      reductions[s].prepare(++sample, calls[s]);
      MPI_Barrier(check.comm());
      {
        Section section{section::allreduce, static_cast<int>(s), mpi_allreduce::work(sizes[s], calls[s]), calls[s]};
        reductions[s].run();
      }
      wrong += reductions[s].wrong();
    }
    MPI_Barrier(check.comm());
    Section section{section::barrier, 0, {.messages = barrier_calls}, barrier_calls};
    barriers(barrier_calls);
  });
  check.prove(validity::sum, check.sum_over_ranks(static_cast<double>(wrong)));
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, table, body); }
