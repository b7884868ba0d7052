#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "base/error.hpp"
#include "base/median.hpp"
#include "best.hpp"
#include "card.hpp"
#include "gpu/take_card.hpp"
#include "measure/clock.hpp"
#include "proofs.hpp"
#include "reference.hpp"
#include "this_check.hpp"

namespace tenken::hpcg {

namespace validity = this_check::validity;

namespace {

// Of one that needs more, something is wrong; the proofs then say what.
constexpr int most_iterations = 10 * set;

double residual_of_reference(MPI_Comm comm, Multigrid& multigrid, const Buffer<double>& b) {
  Reference reference(comm, multigrid);
  reference.set(b, true);
  while (reference.iteration() < set) reference.step(nullptr);
  return reference.residual();
}

}  // namespace

Run::Run(Check& check, const Problem& problem, const device::Form* form) : check_(check), problem_(problem) {
  const bool best = check.variant() == "best" && form == nullptr;
  const Faults planted = faults(best || form != nullptr);
  if (form != nullptr) take_card(*form);
  memory_bytes_ = require_memory(check, problem.cells,
                                 form != nullptr ? Card::host_bytes(problem.cells)
                                 : best          ? Best::bytes(problem.cells)
                                                 : Reference::bytes(problem.cells));
  check.value("memory_bytes", "B", memory_bytes_);
  const std::int64_t begin = monotonic_ns();
  multigrid_ = std::make_unique<Multigrid>(check.comm(), problem.cells, problem.ranks, planted);
  setup_seconds_ = seconds_since(begin);
  b_ = right_side(multigrid_->grid(0));
  if (best || form != nullptr) {
    wanted_ = residual_of_reference(check.comm(), *multigrid_, b_);
    const std::int64_t start = monotonic_ns();
    solver_ = make_solver(planted);
    optimization_seconds_ = seconds_since(start);
    multigrid_->release();
  } else {
    solver_ = std::make_unique<Reference>(check.comm(), *multigrid_);
  }
  solver_->set(b_, true);
  check.value("setup_seconds", "s", setup_seconds_);
  check.value("optimization_seconds", "s", optimization_seconds_);
}

void Run::take_card(const device::Form& form) {
  device_ = form.make_device(gpu::take_card(check_, form.cards()));
  const gpu::Facts facts = device_->facts();
  gpu::record_section_cost(check_, facts.name, device_->section_cost());  // subtracted nowhere
  card_bytes_ = Card::bytes(problem_.cells);
  require_card_memory(facts, problem_.cells, card_bytes_);
  check_.value("card_memory_bytes", "B", card_bytes_);
}

std::unique_ptr<Solver> Run::make_solver(const Faults& planted) {
  if (device_) return std::make_unique<Card>(check_.comm(), *device_, *multigrid_, planted);
  auto best = std::make_unique<Best>(check_.comm(), *multigrid_, planted);
  check_.value("runs", "1", best->runs());
  return best;
}

Faults Run::faults(bool colours) const {
  const bool last = check_.rank() + 1 == check_.ranks();
  if (check_.fault("lost_colour") && !colours) {
    refuse("--fault lost_colour needs colours, which the natural order has none of; add --variant best");
  }
  return {.stale_halo = last && check_.fault("stale_halo"),
          .skipped_row = last && check_.fault("skipped_row"),
          .lost_colour = last && check_.fault("lost_colour")};
}

double Run::seconds_since(std::int64_t begin) const {
  return check_.max_over_ranks(static_cast<double>(monotonic_ns() - begin) * 1e-9);
}

bool Run::prove(const ValiditySpec& proof, double value) {
  const bool right = value <= proof.tolerance;
  valid_ = valid_ && right;
  check_.prove(proof, value);
  return right;
}

void Run::prove() {
  const MPI_Comm comm = check_.comm();
  const auto seed = static_cast<std::uint64_t>(check_.parameters().integer("seed"));
  const Grid& grid = multigrid_->grid(0);
  prove(validity::ones, ones_error(comm, grid, *solver_, b_));
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double spmv = spmv_asymmetry(comm, grid, *solver_, seed);
  const double multigrid = multigrid_asymmetry(comm, grid, *solver_, seed);
  const bool symmetric = prove(validity::symmetry_spmv, spmv);
  summary_.symmetric = prove(validity::symmetry_multigrid, multigrid) && symmetric;
  summary_.asymmetry_spmv = spmv / rounding;
  summary_.asymmetry_multigrid = multigrid / rounding;
  summary_.plain_iterations = near_diagonal_iterations(grid, *solver_, b_, false);
  summary_.multigrid_iterations = near_diagonal_iterations(grid, *solver_, b_, true);
  prove(validity::near_diagonal, summary_.plain_iterations);
  prove(validity::near_diagonal_multigrid, summary_.multigrid_iterations);
}

void Run::rehearse() {
  Untimed untimed{*solver_};
  if (wanted_ > 0) replay_.rehearse(untimed, most_iterations, wanted_);
  if (replay_.iterations() < set) replay_.rehearse(untimed, set, 0);
  if (wanted_ == 0) wanted_ = replay_.last();
  prove(validity::residual, replay_.last() / wanted_);
  const SolutionBound bound = solution_bound(check_.comm(), multigrid_->grid(0), b_);
  const double error = solution_error(check_.comm(), multigrid_->grid(0), *solver_), limit = bound.at(replay_.last());
  valid_ = valid_ && error <= limit;
  check_.prove(validity::solution, error, limit, "|r| / the smallest eigenvalue");
  check_.value("right_side_norm", "1", bound.right_side_norm);
  check_.value("smallest_eigenvalue", "1", bound.smallest_eigenvalue);
  check_.table(history_table("residual_history", "|r| / |b|", replay_.residuals()));
  check_.value("iterations", "1", replay_.iterations());
  check_.value("reference_residual", "1", wanted_);
  check_.value("residual", "1", replay_.last());
}

double Run::read_matrices() {
  MPI_Barrier(check_.comm());  // the ranks share the memory, so they read at the same time
  const std::int64_t values = solver_->matrix_values(), begin = monotonic_ns();
  {
    Section s{this_check::section::read, {.flop = values, .bytes_read = 8 * values}};
    sum_of_matrices_ += solver_->read_matrices();
  }
  return static_cast<double>(monotonic_ns() - begin) * 1e-9;
}

void Run::time() {
  Timed timed(*solver_, replay_.iterations());
  const bool read = check_.parameters().flag("read");
  check_.repeat(
      [&](int repetition) {
        if (repetition == 0) {
          timed.forget();
          reading_.clear();
        }
        replay_.step(timed, repetition);
        if (read) reading_.push_back(read_matrices());
      },
      problem_.seconds);
  prove(validity::repeat, check_.max_over_ranks(replay_.deviation()));
  check_.value("entries", "1", static_cast<double>(multigrid_->grid(0).global_entries()));
  check_.value("working_set_bytes", "B", check_.sum_over_ranks(solver_->working_set_bytes()));
  rate(timed);
  if (read) compare_with_reading(timed);
  print_summary();
}

// The rule book's: flop of 50 iterations over the time of a set and a tenth of what was done before it.
void Run::rate(const Timed& timed) {
  const double iterations = replay_.iterations();
  summary_.iteration_seconds = check_.max_over_ranks(timed.mean_seconds());
  summary_.timed_iterations = timed.steps();
  summary_.flop = check_.sum_over_ranks(timed.flop());
  summary_.bytes = check_.sum_over_ranks(timed.bytes());
  for (std::size_t n = 0; n < phases; ++n) summary_.phase_seconds[n] = timed.seconds_in(static_cast<Phase>(n));
  const double set_seconds = summary_.iteration_seconds * iterations, flop = summary_.flop * iterations;
  if (!valid_) return;
  summary_.rating = flop / (set_seconds + (setup_seconds_ + optimization_seconds_) / 10) * 1e-9;
  summary_.rating_24 = flop / (set_seconds + optimization_seconds_ / 10) * 1e-9;
  check_.value("rating", "GFLOP/s", summary_.rating);
  check_.value("rating_24", "GFLOP/s", summary_.rating_24);
}

// Medians, since the passes alternate on the same machine.
void Run::compare_with_reading(const Timed& timed) {
  const double values = check_.sum_over_ranks(static_cast<double>(solver_->matrix_values()));
  const double read_rate = 8 * values / check_.max_over_ranks(median_of(reading_));
  const double rate = summary_.bytes / check_.max_over_ranks(median_of(timed.seconds()));
  // Read for its time: used, so not left out.
  check_.value("sum_of_matrices", "1", check_.sum_over_ranks(sum_of_matrices_));
  if (!valid_) return;
  check_.value("read_rate", "B/s", read_rate);
  check_.value("byte_share", "%", 100 * rate / read_rate);
}

void Run::print_summary() {
  const double memory = check_.sum_over_ranks(memory_bytes_ + card_bytes_);
  if (check_.rank() != 0 || !check_.parameters().text("record").empty()) return;
  Summary& s = summary_;
  s.ranks = check_.ranks();
  s.threads = check_.threads();
  s.grid = problem_.ranks;
  s.cells = problem_.cells;
  for (int level = 0; level < levels; ++level) {
    const auto at = static_cast<std::size_t>(level);
    s.equations[at] = static_cast<double>(product(multigrid_->grid(level).block().cells()));
    s.entries[at] = static_cast<double>(multigrid_->grid(level).global_entries());
  }
  s.memory_bytes = memory;
  s.setup_seconds = setup_seconds_;
  s.optimization_seconds = optimization_seconds_;
  s.reference_iterations = set;
  s.iterations = replay_.iterations();
  s.residual = replay_.last();
  s.valid = valid_;
  std::fputs((summary_text(s) + "\n").c_str(), stdout);
}

void launch(Check& check, const device::Form* form) {
  Run run(check, problem_of(check), form);
  run.prove();
  run.rehearse();
  run.time();
}

}  // namespace tenken::hpcg
