// The running check program: parameters, ranks, repetitions, proofs, and the record at the end.
//
//   int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
//
//   void body(tenken::Check& check) {
//     ...set up...
//     check.repeat([&](int repetition) { Section s{this_check::section::triad, work}; ... });
//     check.prove(this_check::validity::arrays, check.max_over_ranks(error));
//   }
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cache_share.hpp"
#include "base/error.hpp"
#include "base/parameters.hpp"
#include "base/table.hpp"
#include "measure/record_table.hpp"
#include "measure/section.hpp"

namespace tenken {

class Timing;
struct UsedCard;  // record.hpp

class Check {
 public:
  Check(const CheckTable& table, int argc, char** argv);
  ~Check();
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  const Parameters& parameters() const;
  std::string_view variant() const { return parameters().text("variant"); }
  bool fault(std::string_view name) const { return parameters().text("fault") == name; }

  MPI_Comm comm() const;
  int rank() const;
  int ranks() const;
  int threads() const;                   // OpenMP threads of each rank
  int node_ranks() const;                // ranks on this node
  const std::string& host() const;       // what this node is called in the record
  bool oversubscribed() const;           // more ranks x threads than processors on this node
  const std::vector<int>& numa() const;  // NUMA nodes of the processors of this rank
  CacheShare cache_share() const;        // what this rank may count on; collective

  // One warm-up pass (discarded) and its estimate, then as many timed passes as --repetitions or --seconds ask for, the
  // same number on every rank. Where the passes are slower than the estimate, the group ends when its --seconds are
  // over (repetitions.hpp); the ranks agree on that between passes. `pass` gets the repetition, negative in the
  // warm-up. Sections opened outside passes count as "once per launch".
  // `seconds`: in place of --seconds, where an input file states them.
  void repeat(const std::function<void(int repetition)>& pass, std::optional<double> seconds = std::nullopt);

  // Splits what each repetition does into at most `parts` parts, each of which is a sample of the sections that it
  // calls; for a pass that is so long that nearly every one is interrupted on a busy node. Called in the first pass of
  // the warm-up, with the same number on every rank. Sections need not have the same number of parts.
  void split(int parts);
  // What follows is part `number` of this repetition.
  void part(int number);

  // For solvers that own their loop: `Timing timing{check, n}; for (...) { auto repetition = timing.next(); ... }`.
  // `n` as --repetitions asks, else `fallback`.
  int planned(int fallback) const;

  // Proofs that the answer is right. Values must already be global; rank 0's is written. Call on every rank.
  void prove(const ValiditySpec& proof, double value);                        // value <= tolerance
  void prove_near(const ValiditySpec& proof, double value, double expected);  // |value - expected| <= tolerance
  // The same with a limit that depends on sizes or precision, and says so in `why`.
  void prove(const ValiditySpec& proof, double value, double limit, std::string_view why);
  void prove_near(const ValiditySpec& proof, double value, double expected, double limit, std::string_view why);

  void value(std::string_view name, std::string_view unit, double value);  // a measured fact; unit "flag": 0 or 1
  // What the program chose for itself, such as a layout: launches that chose otherwise are never pooled.
  void chosen(std::string_view name, std::string_view unit, double value);
  // A matrix of figures, such as one for each pair of ranks. Rank 0's is written; call on every rank.
  void table(const Table& table);
  void library(std::string_view role, std::string_view name_and_version);  // picked at run time, e.g. "blas"
  // The device of this rank. `sharing`: why times mean nothing ("3 ranks share 2 cards"), else empty; printed where the
  // program was started by hand.
  void card(const UsedCard& card, const std::string& sharing);

  // Refuses (on all ranks alike) when the ranks of a node together need more memory than it has.
  void require_memory(double bytes_per_rank, std::string_view purpose) const;

  // Reductions for proofs and values; any NaN makes the result NaN.
  double max_over_ranks(double x) const;
  double sum_over_ranks(double x) const;

  // Writes the record. Without --record it prints proofs, then rates where all proofs hold, and answers
  // ExitCode::wrong where one fails: with a record that is the judge's to say. Called by run_check.
  ExitCode finish();

 private:
  friend class Timing;
  struct State;
  std::unique_ptr<State> state_;
};

// The timed part of a launch: takes the trust counters at both ends and lets each repetition write its own row.
class Timing {
 public:
  Timing(Check& check, int repetitions, double seconds_each_estimate = 0.0);
  ~Timing();
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

  class Repetition {
   public:
    explicit Repetition(Timing& timing);
    ~Repetition();
    Repetition(const Repetition&) = delete;
    Repetition& operator=(const Repetition&) = delete;

   private:
    Timing& timing_;
  };

  // Opens the next repetition; it ends when the returned object goes.
  Repetition next() { return Repetition(*this); }

 private:
  Check& check_;
  int repetition_ = 0;
  int planned_;
  int frequency_stride_;
};

int run_check(int argc, char** argv, const CheckTable& table, void (*body)(Check&));

}  // namespace tenken
