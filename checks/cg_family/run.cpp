#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "measure/clock.hpp"
#include "measure/phase_sections.hpp"
#include "numerics/poisson.hpp"
#include "parallel/rank_grid.hpp"
#include "proofs.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace tenken::cg_family {

namespace section = this_check::section;
namespace validity = this_check::validity;

namespace {

constexpr double sample_seconds = 1e-3;
constexpr int longest_stretch = 1000;
constexpr int most_rows_of_history = 64;
constexpr int patience = 200;  // iterations without a lower true residual, of a solve to what can be attained
constexpr double lower = 0.9;  // of the least residual so far: what counts as lower
constexpr double usual_tolerance = 1e-8;

bool attainable(const Check& check) { return check.parameters().flag("attainable"); }

// NaN wins.
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

// What rounding may leave between b - A x and r: of sums of three terms an update, over |b| + |A| |x|.
double gap_limit(Method method) { return method == Method::pipelined ? 1e-11 : 1e-13; }

// Up to 64 iterations, evenly, and the last.
Table history_of(const std::vector<double>& recurred, const std::vector<double>& truth) {
  Table table{.name = "residual_history",
              .unit = "1",
              .rows = {},
              .columns = {"|r| / |b|, recurred", "|b - A x| / |b|"},
              .values = {}};
  const std::size_t last = recurred.size() - 1, rows = std::min<std::size_t>(last, most_rows_of_history);
  for (std::size_t k = 1; k <= rows; ++k) {
    const std::size_t n = k * last / rows;
    table.rows.push_back("iteration " + std::to_string(n));
    table.values.emplace_back(recurred[n]);
    table.values.emplace_back(n < truth.size() && truth[n] >= 0 ? std::optional(truth[n]) : std::nullopt);
  }
  return table;
}

}  // namespace

std::unique_ptr<System> make_system(const Check& check) {
  const Parameters& p = check.parameters();
  const Index<3> cells = index3(p, "size");
  const Index<3> grid = rank_grid(p, cells, check.ranks());
  Index<3> largest;
  double of_a_rank = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    largest[d] = (cells[d] + grid[d] - 1) / grid[d];
    of_a_rank *= largest[d];
  }
  if (of_a_rank > static_cast<double>(most_rows)) {
    refuse("--size " + listed(cells) + " is " + std::to_string(of_a_rank / 1e9) +
           "e9 cells a rank, more than indices of 4 bytes can number; choose a smaller one, or more ranks");
  }
  constexpr int vectors_of_proofs = 4;
  const double bytes = System::bytes(largest) + 8 * (11 + vectors_of_proofs) * of_a_rank;
  check.require_memory(bytes, "--size " + listed(cells));
  if (check.fault("stale_halo") && check.ranks() == 1) {
    refuse("--fault stale_halo needs at least 2 ranks, because a single one has no halo; start it with mpirun -n 2");
  }
  const bool last = check.rank() + 1 == check.ranks();
  return std::make_unique<System>(
      check.comm(), cells, grid, static_cast<int>(p.integer("colours")),
      p.text("preconditioner") == "ic" ? Preconditioner::ic : Preconditioner::point, check.threads(),
      Faults{.stale_halo = last && check.fault("stale_halo"),
             .unsymmetric_preconditioner = last && check.fault("unsymmetric_preconditioner")});
}

Buffer<double> right_side(const System& system) {
  Buffer<double> b = system.vector("the right side");
  system.fill(b.data(), [](const Index<3>& cell) { return poisson_source(cell[0], cell[1], cell[2]); });
  return b;
}

Choice choice_of(const Check& check) {
  const Parameters& p = check.parameters();
  const auto at = std::find(method_names.begin(), method_names.end(), check.variant()) - method_names.begin();
  const std::string& reduction = p.text("reduction");
  const Choice choice{.method = static_cast<Method>(at),
                      .regions = p.text("regions") == "one" ? Regions::one : Regions::many,
                      .reduction = reduction == "blocking"      ? Reduction::blocking
                                   : reduction == "nonblocking" ? Reduction::nonblocking
                                   : reduction == "polled"      ? Reduction::polled
                                                                : Reduction::none,
                      .replace = static_cast<int>(p.integer("replace")),
                      .stale_reduction = check.fault("stale_reduction")};
  if (p.given("replace") && choice.method != Method::pipelined_replaced && choice.replace != 50) {
    refuse("--replace is of the variant pipelined_replaced, but this is " + std::string(check.variant()) +
           "; choose that variant, or leave --replace out");
  }
  return choice;
}

void prove_operator(Check& check, System& system) {
  check.prove(validity::reference, reference_error(system));
  check.prove(validity::symmetry, asymmetry(system));
  const PreconditionerProof preconditioner = preconditioner_proof(system);
  check.prove(validity::preconditioner_symmetry, preconditioner.asymmetry);
  check.prove(validity::preconditioner_positive, -preconditioner.least);
}

namespace {

// Iterates until the true residual has not become a tenth lower for long. Fills `truth`, the true residuals from the
// start on, and returns the iteration at which that is least.
int attain(Family& family, int most, std::vector<double>& truth) {
  double mark = truth.front();
  for (int since = 0; family.end() == End::none && family.iterations() < most && since < patience; ++since) {
    if (family.advance(1, 0, 0, nullptr) == 0) continue;
    truth.push_back(family.residuals(row_norm).truth);
    if (truth.back() < lower * mark) mark = truth.back(), since = -1;
  }
  // NaN is never least: a comparison with it fails.
  return static_cast<int>(std::min_element(truth.begin(), truth.end()) - truth.begin());
}

}  // namespace

void solve(Check& check, const System& system, const Buffer<double>& b, Family& family) {
  const Parameters& p = check.parameters();
  const double tolerance = p.real("tolerance");
  const auto most = static_cast<int>(p.integer("most"));
  std::vector<double> truth{1.0}, recurred;
  const std::int64_t begin = monotonic_ns();
  if (attainable(check)) {
    if (p.given("tolerance") && tolerance != usual_tolerance) {
      refuse(
          "--tolerance ends a solve, but --attainable true solves until the true residual falls no further; leave "
          "one of them out");
    }
    const int best = attain(family, most, truth);
    recurred = family.history();
    check.value("residual_true_last", "1", truth.back());
    check.value("residual_recurred_last", "1", recurred.back());
    check.value("iterations_last", "1", family.iterations());
    family.start();  // the iterates of the best one again: later ones may be far worse
    family.advance(best, 0, 0, nullptr);
  } else {
    family.advance(most, tolerance, 0, nullptr);
  }
  const double seconds = check.max_over_ranks(static_cast<double>(monotonic_ns() - begin) * 1e-9);
  const int iterations = family.iterations();
  const Family::Residuals residuals = family.residuals(row_norm);
  if (recurred.empty()) {
    recurred = family.history();
    truth.resize(recurred.size(), -1.0);
    truth.back() = residuals.truth;
  }

  // Of b - A x computed anew: the recurrence, or the tolerance, and what it has lost on the way.
  const double limit = gap_limit(choice_of(check).method);
  check.value("gap_limit", "1", limit);
  check.prove(validity::gap, residuals.gap, limit, "of this variant");
  if (!attainable(check)) {
    // As the iteration was told, and summed anew.
    check.prove(validity::converged, larger(residuals.norm, family.history().back()), tolerance * (1 + 1e-6),
                "--tolerance");
  }
  check.prove(validity::balance, balance_error(system, b, family.x()), 2 * residuals.truth + 1e-12,
              "bound from the true residual");
  check.table(history_of(recurred, truth));
  check.value("iterations", "1", iterations);
  if (!attainable(check)) check.value("time_to_solution", "s", seconds);
  check.value("residual_recurred", "1", family.history().back());
  check.value("residual_true", "1", residuals.truth);
  check.value("residual_gap", "1", residuals.gap);
  check.value("colours", "1", system.matrix().colours());
  check.value("fill", "1", system.matrix().fill());
  check.value("rows_a_rank", "1", static_cast<double>(product(system.block().cells())) / check.ranks());
  check.value("working_set_bytes", "B",
              check.sum_over_ranks(static_cast<double>(working_set_bytes(system, choice_of(check).method))));
}

void time_iterations(Check& check, Family& family) {
  const std::vector<double> first = family.history();
  const auto whole = static_cast<int>(first.size()) - 1;
  const auto asked = static_cast<int>(check.parameters().integer("stretch"));
  int stretch = asked;
  if (asked == 0) {  // about a millisecond of iterations, the same on every rank
    family.start();
    const std::int64_t begin = monotonic_ns();
    const int done = std::max(1, family.advance(std::min(10, whole), 0, 0, nullptr));
    const double each = check.max_over_ranks(static_cast<double>(monotonic_ns() - begin) * 1e-9) / done;
    stretch = static_cast<int>(std::clamp(sample_seconds / each, 1.0, double{longest_stretch}));
  }
  PhaseSections<Phase, phases> sections(
      section::cg,
      {section::cg_halo, section::cg_spmv, section::cg_precond, section::cg_dot, section::cg_reduction,
       section::cg_wait, section::cg_update, section::cg_replace},
      family.work());
  double worst = 0;
  family.start();
  check.repeat([&](int) {
    for (int left = whole > 0 ? stretch : 0; left > 0;) {
      if (family.iterations() == whole) family.start();
      left -= std::max(1, family.advance(std::min(left, whole - family.iterations()), 0, 0, &sections));
      const double expected = first[static_cast<std::size_t>(family.iterations())];
      worst = larger(std::abs(family.history().back() - expected) / expected, worst);
    }
  });
  // The vector that iterations without reductions end with is that of the first solve, too.
  const double expected = first[static_cast<std::size_t>(family.iterations())];
  const double change = std::abs(family.residuals(row_norm).norm - expected) / expected;
  check.prove(validity::repeat, check.max_over_ranks(larger(change, worst)));
  check.value("stretch", "1", stretch);
}

}  // namespace tenken::cg_family
