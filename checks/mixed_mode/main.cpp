#include <string>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "report.hpp"
#include "samples.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace mixed_mode;

Modes::Options options_of(const Check& check) {
  const Parameters& parameters = check.parameters();
  const std::string pattern(parameters.text("variant"));
  const std::int64_t bytes = parameters.integer("bytes");
  if (bytes % 8 != 0 || bytes / 8 < check.threads()) {
    refuse("--bytes " + std::to_string(bytes) + " must be a multiple of 8 with 8 bytes or more for each of " +
           std::to_string(check.threads()) + " threads; choose --bytes " + std::to_string(8 * check.threads()));
  }
  if (pattern == "pingpong" && check.ranks() < 2) {
    refuse("a pingpong needs two ranks at least; start it with mpirun -n 2, or choose --variant halo");
  }
  Modes::Options options{.pattern = pattern == "pingpong" ? Pattern::pingpong : Pattern::halo,
                         .words = static_cast<std::size_t>(bytes / 8),
                         .communicators_each = parameters.text("communicators") == "each",
                         .persistent = parameters.text("requests") == "persistent"};
  const std::string fault(parameters.text("fault"));
  if ((fault == "late_thread" || fault == "wrong_share") && check.threads() < 2) {
    refuse("--fault " + fault + " needs two threads; choose --threads 2");
  }
  if (check.rank() == check.ranks() - 1) options.fault = fault;
  return options;
}

void body(Check& check) {
  const Modes::Options options = options_of(check);
  int provided = 0;
  MPI_Query_thread(&provided);
  check.require_memory(4.0 * 8 * static_cast<double>(options.words), "the messages of a rank");
  Samples samples(check, options, static_cast<int>(check.parameters().integer("samples")), provided);
  check.repeat([&](int repetition) { samples.pass(repetition >= 0); });
  report(check, options, samples);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
