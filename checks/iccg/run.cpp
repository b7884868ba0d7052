#include "run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "counting.hpp"
#include "definite.hpp"
#include "measure/phase_sections.hpp"
#include "reading.hpp"
#include "shift.hpp"
#include "this_check.hpp"

namespace iccg {

using tenken::Check;
using tenken::Coloured;
using tenken::Section;

namespace section = this_check::section;
namespace validity = this_check::validity;

namespace {

// Of the assembled matrix, its ordering, triangles twice and vectors: a row, and an entry.
constexpr double bytes_a_row = 260, bytes_an_entry = 60;
constexpr double bytes_a_factor = 24;  // an entry more, where the factor differs from the matrix
constexpr double sample_seconds = 1e-3;
constexpr int longest_stretch = 1000;
// In the order of Sync.
constexpr std::array<std::string_view, 5> names{"baseline", "nowait", "mv_parallel", "rm_ompdo", "rm_reduction"};

tenken::PhaseSections<Phase, phases> sections_of(const Solver& solver) {
  std::array<tenken::Work, phases> work;
  for (int n = 0; n < phases; ++n) work[static_cast<std::size_t>(n)] = solver.work(static_cast<Phase>(n));
  return {section::iteration,
          {section::iteration_forward, section::iteration_backward, section::iteration_product, section::iteration_dot,
           section::iteration_update},
          work};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int chunk_of(const Check& check) {
  const std::string& chunk = check.parameters().text("chunk");
  return chunk == "native" ? tenken::native_width<double> : std::stoi(chunk);
}

Colouring colouring_of(const Check& check) {
  const std::string& name = check.parameters().text("colouring");
  if (name == "cm_rcm") return Colouring::cm_rcm;
  if (name == "greedy") return Colouring::greedy;
  return name == "levels" ? Colouring::levels : Colouring::automatic;
}

// |b - A x| / |b|, with the matrix as it was assembled.
double true_residual(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  multiply(problem.a, x.data(), y.data());
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    rr += (problem.b[i] - y[i]) * (problem.b[i] - y[i]);
    bb += problem.b[i] * problem.b[i];
  }
  return std::sqrt(rr / bb);
}

// What is made in all cells leaves through the top, where the gradient is 2 x: its relative error.
double balance_error(const Problem& problem, const std::vector<double>& x) {
  double source = 0, out = 0;
  for (const double b : problem.b) source += b;
  for (auto i = x.size() - static_cast<std::size_t>(problem.top); i < x.size(); ++i) out += 2 * x[i];
  return std::abs(source - out) / std::abs(source);
}

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

// Of the last residual from that of the first solve, relative.
double deviation(const Solver& solver, const std::vector<double>& first) {
  const std::size_t at = solver.history().size() - 1;
  if (at >= first.size()) return 1;
  if (first[at] == 0) return solver.history().back() == 0 ? 0 : 1;  // solved exactly
  return std::abs(solver.history().back() - first[at]) / first[at];
}

// Also where one is NaN.
double larger(double x, double y) { return y <= x ? x : y; }

// Iterations of a repetition: as asked, or about a millisecond of them, by the fastest of some samples. A first sample
// of threads that wake up would make repetitions short, and as many as there may be.
int stretch_of(const Check& check, Solver& solver) {
  constexpr int samples = 5, most_of_a_sample = 10;
  const auto asked = static_cast<int>(check.parameters().integer("stretch"));
  if (asked > 0) return asked;
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < samples; ++n) {
    solver.start();
    const double begin = seconds_now();
    const int done = std::max(1, solver.advance(most_of_a_sample, check.parameters().real("tolerance"), nullptr));
    least = std::min(least, (seconds_now() - begin) / done);
  }
  return static_cast<int>(std::clamp(sample_seconds / least, 1.0, double{longest_stretch}));
}

}  // namespace

Problem make_problem(const Check& check) {
  if (check.ranks() != 1) {
    tenken::refuse("iccg runs on one rank, whose threads share the matrix; start it without mpirun, or with -n 1");
  }
  const tenken::Parameters& p = check.parameters();
  if (p.given("matrix") && !p.text("matrix").empty()) {
    if (p.given("size")) tenken::refuse("--size is that of the Poisson equation, but --matrix is given; leave one out");
    return problem_from(p.text("matrix"),
                        p.flag("pattern_as_ones") ? tenken::Patterns::ones : tenken::Patterns::refused);
  }
  if (p.flag("pattern_as_ones")) tenken::refuse("--pattern_as_ones is of --matrix, which is not given; leave it out");
  const std::vector<std::int64_t> size = p.integers("size");
  const auto rows = static_cast<double>(rows_of(size));
  check.require_memory((bytes_a_row + 7 * bytes_an_entry) * rows, "this --size");
  return poisson_problem(static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]));
}

Coloured make_matrix(Check& check, const Problem& problem) {
  const tenken::Parameters& p = check.parameters();
  const tenken::Section setup{section::setup};
  const auto block = static_cast<int>(p.integer("block"));
  const tenken::Csr<double> in_blocks = block > 1 ? with_full_blocks(problem.a, block) : tenken::Csr<double>{};
  const tenken::Csr<double>& matrix = block > 1 ? in_blocks : problem.a;
  tenken::Ordering colours = coloured(matrix, colouring_of(check), static_cast<int>(p.integer("colours")));
  if (check.fault("wrong_colour")) move_to_wrong_colour(colours);
  std::int64_t rows = 0;  // with the rows that fill the last chunk of each colour
  for (std::int64_t g = 0; g < colours.groups(); ++g) {
    const auto at = static_cast<std::size_t>(g);
    const std::int64_t c = chunk_of(check);
    rows += (colours.begin[at + 1] - colours.begin[at] + c - 1) / c * c;
  }
  const double an_entry = bytes_an_entry + (problem.top > 0 ? 0 : bytes_a_factor);
  check.require_memory(bytes_a_row * static_cast<double>(rows) + an_entry * static_cast<double>(matrix.entries()),
                       "this matrix");
  check.prove(validity::colouring, static_cast<double>(couplings_inside(problem.a, colours)));
  const auto sigma = static_cast<int>(p.integer("sigma"));
  Coloured a = check.fault("drop_coupling") ? make_coloured(without_a_coupling(matrix), colours, chunk_of(check), sigma)
                                            : make_coloured(matrix, colours, chunk_of(check), sigma);
  choose_shift(a, problem.b);
  check.value("rows", "1", static_cast<double>(problem.a.rows));
  check.value("entries", "1", static_cast<double>(problem.a.entries()));
  check.value("colours", "1", a.colours());
  check.value("fill", "1", a.fill());
  check.chosen("shift", "1", a.shift);
  check.value("scale_exponent", "1", problem.exponent);
  check.value("added_entries", "1", static_cast<double>(problem.added));
  return a;
}

std::unique_ptr<Solver> make_solver(Check& check, const Problem& problem, const Coloured& a) {
  const Faults faults{.unsymmetric_preconditioner = check.fault("unsymmetric_preconditioner")};
  const std::string_view variant = check.variant();
  std::unique_ptr<Solver> solver;
  if (variant == "best") {
    solver = make_best(a, problem.b, faults);
  } else {
    const auto at = std::find(names.begin(), names.end(), variant) - names.begin();
    solver = make_iccg(static_cast<Sync>(at), a, problem.b, faults);
  }
  const auto n = static_cast<std::size_t>(a.padded);
  const tenken::RandomStream random(1, 1);
  std::vector<double> x(n), y(n), of_x(n), of_y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool padding = a.row[i] < 0;
    x[i] = padding ? 0 : random.uniform(2 * i) - 0.5;
    y[i] = padding ? 0 : random.uniform(2 * i + 1) - 0.5;
  }
  solver->apply(x.data(), of_x.data());
  solver->apply(y.data(), of_y.data());
  double xy = 0, yx = 0, xx = 0, x2 = 0, y2 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    xy += x[i] * of_y[i];
    yx += y[i] * of_x[i];
    xx += x[i] * of_x[i];
    x2 += x[i] * x[i];
    y2 += of_y[i] * of_y[i];
  }
  const double error = xx > 0 ? std::abs(xy - yx) / std::sqrt(x2 * y2) : std::numeric_limits<double>::infinity();
  check.prove(validity::symmetry, error);
  return solver;
}

void solve(Check& check, const Problem& problem, const Coloured& a, Solver& solver) {
  const tenken::Parameters& p = check.parameters();
  const double tolerance = p.real("tolerance");
  const auto most = static_cast<int>(p.integer("most"));
  solver.advance(2, 0, nullptr);  // pages, threads
  solver.start();
  double seconds = seconds_now();
  {
    const tenken::Section whole{section::solve};
    solver.advance(most, tolerance, nullptr);
  }
  seconds = seconds_now() - seconds;
  const std::vector<double>& history = solver.history();
  const auto iterations = static_cast<double>(history.size() - 1);
  std::vector<double> x(static_cast<std::size_t>(problem.a.rows));
  solver.solution(x.data());
  const double truth = true_residual(problem, x);
  if (solver.end() == End::broken) {
    std::vector<double> direction(x.size());
    solver.direction(direction.data());
    const std::string indefinite = indefinite_direction(problem.a, direction, history.size() - 1, a.shift);
    const std::string where = p.text("matrix").empty() ? "" : "--matrix " + p.text("matrix") + ": ";
    if (!indefinite.empty()) {
      tenken::refuse(where + indefinite + "; conjugate gradients need a positive definite matrix");
    }
  }
  check.prove(validity::residual, truth, tolerance * 1.001 + 1e-13,
              solver.end() == End::broken ? "of the assembled matrix; rounding ended the iterations early"
                                          : "of the assembled matrix");
  if (problem.top > 0)
    check.prove(validity::balance, balance_error(problem, x), 2 * tolerance + 1e-12, "bound from the residual");
  check.table(tenken::history_table("history", "|r| / |b|", std::span(history).subspan(1)));

  const auto rows = static_cast<double>(a.rows);
  check.value("iterations", "1", iterations);
  check.value("time_to_solution", "s", seconds);
  check.value("residual_true", "1", truth);
  check.value("residual_iterated", "1", history.back());
  check.value("bytes_a_row", "B", moved_bytes(solver) / rows);
  check.value("runs", "1", solver.runs());
  check.value("rows_a_thread", "1", rows / check.threads());
  check.value("working_set_bytes", "B", static_cast<double>(solver.working_set_bytes()));
}

void time_iterations(Check& check, Solver& solver) {
  const double tolerance = check.parameters().real("tolerance");
  const std::vector<double> first = solver.history();
  const int stretch = stretch_of(check, solver);
  auto sections = sections_of(solver);
  double worst = 0;
  solver.start();
  check.repeat([&](int) {
    for (int left = stretch; left > 0;) {
      left -= solver.advance(left, tolerance, &sections);
      worst = larger(worst, deviation(solver, first));
      if (solver.end() != End::none || solver.history().size() >= first.size()) solver.start();
    }
  });
  check.prove(validity::repeat, worst);
  check.value("stretch", "1", stretch);
}

void time_in_turn(Check& check, const Problem& problem, const Coloured& a, Solver& solver) {
  const std::vector<double> first = solver.history();
  const int stretch = std::min(stretch_of(check, solver), std::max(1, static_cast<int>(first.size()) / 2 - 1));
  constexpr std::array leaves{section::turns_baseline, section::turns_nowait, section::turns_mv_parallel,
                              section::turns_rm_ompdo, section::turns_rm_reduction};
  std::vector<std::unique_ptr<Solver>> variants;
  for (std::size_t v = 0; v < leaves.size(); ++v) variants.push_back(make_iccg(static_cast<Sync>(v), a, problem.b));
  std::array<std::vector<double>, leaves.size()> took;  // seconds of an iteration, repetition by repetition
  double worst = 0;
  std::size_t begin = 0;  // each comes first in turn
  check.repeat([&](int repetition) {
    ++begin;
    for (std::size_t n = 0; n < leaves.size(); ++n) {
      const std::size_t v = (begin + n) % leaves.size();
      Solver& one = *variants[v];
      if (one.history().size() + static_cast<std::size_t>(stretch) > first.size()) one.start();
      const double from = seconds_now();
      {
        const Section section{leaves[v], 0, {}, stretch};
        one.advance(stretch, 0, nullptr);
      }
      if (repetition >= 0) took[v].push_back((seconds_now() - from) / stretch);
      worst = larger(worst, deviation(one, first));
    }
  });
  check.prove(validity::repeat, worst);
  check.value("stretch", "1", stretch);
  // In one repetition the variants met the same machine: differences are taken there.
  const std::vector<double>& last = took.back();
  for (std::size_t v = 0; v + 1 < leaves.size(); ++v) {
    std::vector<double> more(last.size());
    std::transform(took[v].begin(), took[v].end(), last.begin(), more.begin(), std::minus<>());
    check.value("sync_" + std::string(names[v]), "us", 1e6 * median(more));
    if (v == 0) check.value("sync_costs", "%", 100 * median(more) / median(last));
  }
}

void count_directives(Check& check) {
  tenken::Table table{.name = "directives", .unit = "1", .rows = {}, .columns = {}, .values = {}};
  double different = 0;
  std::array<Directives, names.size()> counted;
  for (std::size_t v = 0; v < names.size(); ++v) {
    counted[v] = directives_of(static_cast<Sync>(v), published_colours);
    if (!(counted[v] == published[v])) ++different;
    table.columns.emplace_back(names[v]);
    table.columns.emplace_back(std::string(names[v]) + ", paper");
  }
  for (std::size_t n = 0; n < Directives::names.size(); ++n) {
    table.rows.emplace_back(Directives::names[n]);
    for (std::size_t v = 0; v < names.size(); ++v) {
      table.values.emplace_back(static_cast<double>(counted[v].of[n]));
      table.values.emplace_back(static_cast<double>(published[v].of[n]));
    }
  }
  check.table(table);
  check.prove(validity::directives, different);
}

}  // namespace iccg
