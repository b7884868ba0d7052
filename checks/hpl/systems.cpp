#include "systems.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/error.hpp"
#include "parallel/text_file.hpp"
#include "size.hpp"
#include "this_check.hpp"

namespace hpl {

using namespace tenken;

namespace {

std::string_view default_of(std::string_view name) {
  for (const ParameterSpec& spec : this_check::table.parameters) {
    if (spec.name == name) return spec.fallback;
  }
  return "";
}

// `part` of the ranks, which must divide them.
int other_part(const Check& check, const char* name, int part) {
  if (check.ranks() % part == 0) return check.ranks() / part;
  std::string divisors;
  for (int d = 1; d <= check.ranks(); ++d) {
    if (check.ranks() % d == 0) divisors += (divisors.empty() ? "" : ", ") + std::to_string(d);
  }
  refuse("--" + std::string(name) + " " + std::to_string(part) + " does not divide the " +
         std::to_string(check.ranks()) + " ranks; choose one of " + divisors);
}

// The system that the parameters ask for.
Combination of_parameters(Check& check, const device::Device* card) {
  const auto integer = [&](const char* name) { return static_cast<int>(check.parameters().integer(name)); };
  Combination one{.n = equations(check, card), .nb = integer("nb"), .p = integer("p"), .q = integer("q")};
  if (one.p == 0 && one.q == 0) one.p = rows_of_squarest(check.ranks());
  if (one.p == 0) one.p = other_part(check, "q", one.q);
  if (one.q == 0) one.q = other_part(check, "p", one.p);
  const std::string& broadcast = check.parameters().text("broadcast");
  one.broadcast = broadcast == "ring" ? 0 : broadcast == "long" ? of_long : of_tree;
  one.depth = integer("lookahead");
  const bool unstated = check.parameters().text("nb") == default_of("nb");
  if (one.nb > one.n && unstated) one.nb = one.n;
  if (one.nb > one.n) {
    refuse("--nb " + std::to_string(one.nb) + " is more than the " + std::to_string(one.n) +
           " equations; choose at most --nb " + std::to_string(one.n));
  }
  return one;
}

}  // namespace

Systems::Systems(Check& check, device::Device* card)
    : check_(check), card_(card), by_hand_(check.parameters().text("record").empty()) {
  const std::string file = check.parameters().text("input");
  if (file.empty()) {
    all_ = {of_parameters(check, card)};
  } else {
    read(file);
  }
  double memory = 0;
  for (const Combination& one : all_) {
    memory = std::max(memory, Matrix::bytes(one.n, one.nb, one.p, one.q) +
                                  Elimination::bytes(one.n, one.nb, one.p, one.q, one.depth, card != nullptr));
  }
  check.require_memory(memory, "hpl");
  check.value("memory_bytes", "B", memory);
}

void Systems::run() {
  if (all_.size() == 1) {
    System system(check_, all_[0], input_.mapping, card_);
    check_.repeat([&](int) { system.solve(); });
    keep(system);
  } else {
    Timing timing(check_, static_cast<int>(all_.size()));
    for (const Combination& one : all_) {
      System system(check_, one, input_.mapping, card_);
      const auto repetition = timing.next();
      system.solve();
      keep(system);
    }
  }
  check_.prove(this_check::validity::residual, worst_);
  const Combination& last = all_.back();
  check_.value("equations", "1", last.n);
  check_.value("grid_rows", "1", last.p);
  check_.value("grid_columns", "1", last.q);
  check_.value("working_set_bytes", "B", 8.0 * last.n * (last.n + 1.0));
  check_.value("systems", "1", static_cast<double>(all_.size()));
  if (all_.size() == 1) check_.value("solved_rate", "GFLOP/s", rate_);
  if (by_hand_ && check_.rank() == 0) print();
  write_input();
}

void Systems::read(const std::string& file) {
  if (check_.parameters().integer("percent_of_memory") > 0 || check_.parameters().real("solve_seconds") > 0) {
    refuse("--input states the numbers of equations; leave --percent_of_memory and --solve_seconds out");
  }
  input_ = read_input(text_for_all(check_.comm(), "--input", file, 1 << 16), file);
  for (const Combination& one : input_.combinations()) {
    if (one.p * one.q == check_.ranks()) {
      all_.push_back(one);
      all_.back().nb = std::min(one.nb, one.n);
    } else {
      skipped_.push_back(std::to_string(one.p) + " x " + std::to_string(one.q));
    }
  }
  skipped_.erase(std::unique(skipped_.begin(), skipped_.end()), skipped_.end());
  if (all_.empty()) {
    refuse("--input " + file + " has no grid of " + std::to_string(check_.ranks()) + " ranks, only " + skipped_[0] +
           "; start as many ranks as a grid has");
  }
  if (!by_hand_ && all_.size() > 1) {
    refuse("--input " + file + " asks for " + std::to_string(all_.size()) +
           " systems, and a record has one; leave one N, NB, grid, broadcast and depth in it");
  }
}

void Systems::keep(const System& system) {
  worst_ = std::max(worst_, check_.max_over_ranks(system.residual()));
  rate_ = solved_rate(system.of(), system.seconds());
  lines_ += result_line(system.of(), input_.mapping, system.seconds()) +
            residual_line(check_.max_over_ranks(system.residual()), input_.threshold);
}

void Systems::print() const {
  std::string text;
  for (const std::string& grid : skipped_)
    text += "note     grid " + grid + " needs another number of ranks and is left out\n";
  for (const std::string& line : input_.without_effect) text += "note     without effect: " + line + "\n";
  if (all_.size() > 1) text += "note     the times of sections below are medians over all systems\n";
  text += result_heading() + lines_ + std::string(80, '=') + "\n";
  std::fputs(text.c_str(), stdout);
}

void Systems::write_input() const {
  const std::string file = check_.parameters().text("write_input");
  if (file.empty() || check_.rank() != 0) return;
  std::ofstream out(file);
  out << input_text(all_.back()) << std::flush;
  if (!out) std::fprintf(stderr, "hpl: --write_input %s cannot be written: %s\n", file.c_str(), std::strerror(errno));
}

}  // namespace hpl
