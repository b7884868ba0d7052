#include "summary.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tenken;
using namespace tenken::hpcg;

namespace {

Summary made() {
  Summary s;
  s.ranks = 2;
  s.threads = 3;
  s.grid = {2, 1, 1};
  s.cells = {16, 24, 32};
  s.equations = {24576, 3072, 384, 48};
  s.entries = {1000, 100, 10, 1};
  s.memory_bytes = 2e9;
  s.setup_seconds = 2;
  s.optimization_seconds = 3;
  s.plain_iterations = 11;
  s.multigrid_iterations = 1;
  s.symmetric = true;
  s.reference_iterations = 50;
  s.iterations = 60;
  s.timed_iterations = 240;
  s.residual = 1e-7;
  s.phase_seconds = {0.1, 0.2, 0.3, 0.4};
  s.iteration_seconds = 1;
  s.flop = 5e9;
  s.bytes = 7e9;
  s.rating = 4.5;
  s.rating_24 = 4.75;
  s.valid = true;
  return s;
}

bool has(const std::string& text, const std::string& line) { return text.find(line + "\n") != std::string::npos; }

}  // namespace

TEST_CASE("the summary has the lines that the benchmark prints") {
  const std::string text = summary_text(made());
  INFO(text);
  CHECK(has(text, "Machine Summary::Distributed Processes=2"));
  CHECK(has(text, "Machine Summary::Threads per processes=3"));
  CHECK(has(text, "Global Problem Dimensions::Global nx=32"));
  CHECK(has(text, "Global Problem Dimensions::Global nz=32"));
  CHECK(has(text, "Processor Dimensions::npx=2"));
  CHECK(has(text, "Local Domain Dimensions::ny=24"));
  CHECK(has(text, "Setup Information::Setup Time=2"));
  CHECK(has(text, "Linear System Information::Number of Nonzero Terms=1000"));
  CHECK(has(text, "Multigrid Information::Coarse Grids::Number of Equations=384"));
  CHECK(has(text, "Spectral Convergence Tests::Result=PASSED"));
  CHECK(has(text, "Iteration Count Information::Optimized CG iterations per set=60"));
  CHECK(has(text, "Iteration Count Information::Total number of reference iterations=200"));
  CHECK(has(text, "Reproducibility Information::Scaled residual mean=1e-07"));
  CHECK(has(text, "Benchmark Time Summary::MG=96"));
  CHECK(has(text, "Benchmark Time Summary::Total=240"));
  CHECK(has(text, "GB/s Summary::Raw Total B/W=7"));
  // 60 iterations count as 50: 5 GFLOP/s charged are 6 raw. Four sets are charged for a tenth of 5 s each.
  CHECK(has(text, "GFLOP/s Summary::Raw Total=6"));
  CHECK(has(text, "GFLOP/s Summary::Total with convergence overhead=5"));
  CHECK(has(text, "GFLOP/s Summary::Total with convergence and optimization phase overhead=4.95868"));
  CHECK(has(text, "Final Summary::HPCG result is VALID with a GFLOP/s rating of=4.5"));
  CHECK(has(text, "Final Summary::HPCG 2.4 rating for historical reasons is=4.75"));
  CHECK(has(text, "Final Summary::Official results execution time (sec) must be at least=1800"));
}

TEST_CASE("a summary of a wrong answer has no time and no rate") {
  Summary wrong = made();
  wrong.valid = false;
  wrong.multigrid_iterations = 7;
  const std::string text = summary_text(wrong);
  CHECK(has(text, "Spectral Convergence Tests::Result=FAILED"));
  CHECK(has(text, "Final Summary::HPCG result is=INVALID."));
  for (const char* name : {"GFLOP", "Time", "time", "VALID with", "variance"}) {
    INFO(name);
    CHECK(text.find(name) == std::string::npos);
  }
}
