#include "summary.hpp"

#include <cstdio>

namespace tenken::hpcg {

namespace {

constexpr double official_seconds = 1800;  // shortest timed part of an official result
constexpr int allowed_plain = 12, allowed_multigrid = 2;

// Lines of one group at a time.
class Lines {
 public:
  void heading(const std::string& title) { text_ += "########## " + title + "  ##########=\n"; }
  void group(const std::string& name) {
    group_ = name;
    text_ += name + "=\n";
  }
  void add(const std::string& name, const std::string& value) { text_ += group_ + "::" + name + "=" + value + "\n"; }
  void add(const std::string& name, double value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.6g", value);
    add(name, std::string(number));
  }
  void count(const std::string& name, double value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.0f", value);
    add(name, std::string(number));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_, group_;
};

void add_problem(Lines& lines, const Summary& of) {
  lines.group("Machine Summary");
  lines.count("Distributed Processes", of.ranks);
  lines.count("Threads per processes", of.threads);
  lines.group("Global Problem Dimensions");
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::size_t d = 0; d < 3; ++d)
    lines.count(std::string("Global n") + axes[d], static_cast<double>(of.cells[d]) * of.grid[d]);
  lines.group("Processor Dimensions");
  for (std::size_t d = 0; d < 3; ++d) lines.count(std::string("np") + axes[d], of.grid[d]);
  lines.group("Local Domain Dimensions");
  for (std::size_t d = 0; d < 3; ++d) lines.count(std::string("n") + axes[d], of.cells[d]);
  lines.heading("Problem Summary");
  if (of.valid) {
    lines.group("Setup Information");
    lines.add("Setup Time", of.setup_seconds);
  }
  lines.group("Linear System Information");
  lines.count("Number of Equations", of.equations[0]);
  lines.count("Number of Nonzero Terms", of.entries[0]);
  lines.group("Multigrid Information");
  lines.count("Number of coarse grid levels", levels - 1);
  for (std::size_t level = 1; level < levels; ++level) {
    lines.count("Coarse Grids::Grid Level", static_cast<double>(level));
    lines.count("Coarse Grids::Number of Equations", of.equations[level]);
    lines.count("Coarse Grids::Number of Nonzero Terms", of.entries[level]);
  }
  lines.heading("Memory Use Summary");
  lines.group("Memory Use Information");
  lines.add("Total memory used for data (Gbytes)", of.memory_bytes * 1e-9);
  lines.add("Bytes per equation (Total memory / Number of Equations)", of.memory_bytes / of.equations[0]);
}

void add_tests(Lines& lines, const Summary& of) {
  const auto result = [&](bool passed) { lines.add("Result", std::string(passed ? "PASSED" : "FAILED")); };
  lines.heading("V&V Testing Summary");
  lines.group("Spectral Convergence Tests");
  result(of.plain_iterations <= allowed_plain && of.multigrid_iterations <= allowed_multigrid);
  lines.count("Unpreconditioned::Maximum iteration count", of.plain_iterations);
  lines.count("Unpreconditioned::Expected iteration count", allowed_plain);
  lines.count("Preconditioned::Maximum iteration count", of.multigrid_iterations);
  lines.count("Preconditioned::Expected iteration count", allowed_multigrid);
  lines.group("Departure from Symmetry |x'Ay-y'Ax|/(2*||x||*||A||*||y||)/epsilon");
  result(of.symmetric);
  lines.add("Departure for SpMV", of.asymmetry_spmv);
  lines.add("Departure for MG", of.asymmetry_multigrid);
  const double sets = of.timed_iterations / of.iterations;
  lines.heading("Iterations Summary");
  lines.group("Iteration Count Information");
  lines.count("Reference CG iterations per set", of.reference_iterations);
  lines.count("Optimized CG iterations per set", of.iterations);
  lines.count("Total number of reference iterations", of.reference_iterations * sets);
  lines.count("Total number of optimized iterations", of.timed_iterations);
  lines.heading("Reproducibility Summary");
  lines.group("Reproducibility Information");
  lines.add("Scaled residual mean", of.residual);
  if (of.valid) lines.add("Scaled residual variance", 0.0);  // proved to the last bit
}

void add_rates(Lines& lines, const Summary& of) {
  const double total = of.timed_iterations * of.iteration_seconds;
  const double charge = of.timed_iterations / of.iterations * (of.setup_seconds + of.optimization_seconds) / 10;
  const double flop = of.timed_iterations * of.flop, bytes = of.timed_iterations * of.bytes;
  const double raw = flop * of.iterations / of.reference_iterations;
  lines.heading("Performance Summary (times in sec)");
  lines.group("Benchmark Time Summary");
  lines.add("Optimization phase", of.optimization_seconds);
  constexpr const char* names[phases] = {"DDOT", "WAXPBY", "SpMV", "MG"};
  for (std::size_t phase = 0; phase < phases; ++phase)
    lines.add(names[phase], of.timed_iterations * of.phase_seconds[phase]);
  lines.add("Total", total);
  lines.group("Floating Point Operations Summary");
  lines.add("Total", raw);
  lines.add("Total with convergence overhead", flop);
  lines.group("GB/s Summary");
  lines.add("Raw Total B/W", bytes / total * 1e-9);
  lines.group("GFLOP/s Summary");
  lines.add("Raw Total", raw / total * 1e-9);
  lines.add("Total with convergence overhead", flop / total * 1e-9);
  lines.add("Total with convergence and optimization phase overhead", flop / (total + charge) * 1e-9);
  lines.group("User Optimization Overheads");
  lines.add("Optimization phase time (sec)", of.optimization_seconds);
  lines.group("Final Summary");
  lines.add("HPCG result is VALID with a GFLOP/s rating of", of.rating);
  lines.add("HPCG 2.4 rating for historical reasons is", of.rating_24);
  if (total < official_seconds) {
    lines.add("Results are valid but execution time (sec) is", total);
    lines.add("Official results execution time (sec) must be at least", official_seconds);
  }
}

}  // namespace

std::string summary_text(const Summary& of) {
  Lines lines;
  add_problem(lines, of);
  add_tests(lines, of);
  if (of.valid) {
    add_rates(lines, of);
  } else {
    lines.group("Final Summary");
    lines.add("HPCG result is", std::string("INVALID."));
  }
  return "HPCG-Benchmark\nin the form of=3.1\nNot an official result=written anew from the specification\n" +
         lines.text();
}

}  // namespace tenken::hpcg
