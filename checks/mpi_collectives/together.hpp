// Every operation at every size, one call in a window each: prepared, begun together, looked at.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "last_to_come.hpp"
#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "operation.hpp"
#include "participants.hpp"
#include "rank_tables.hpp"
#include "window.hpp"

namespace mpi_collectives {

// An operation that can be measured: where its calls are timed, and how its answers are proved.
struct OfferedKind {
  Kind kind;
  tenken::Leaf section;
  const tenken::ValiditySpec* proof;
};

// Operations in memory of the host or of cards.
struct Offer {
  std::vector<OfferedKind> kinds;
  std::function<std::unique_ptr<Operation>(Kind kind, std::int64_t bytes)> make;  // on ranks that take part
  bool turns = true;  // where all operations are measured: each rank comes last by turns
};

// All kinds, by MPI in memory of the host.
Offer offer_of_host(const Participants& group);

class Together {
 public:
  // Collective over the ranks of the check. `operation`: one of kind_names or "all".
  Together(tenken::Check& check, const Participants& group, const std::string& operation, const Offer& offer);

  void pass(int repetition);

  // Untimed: each of the first ranks comes to a barrier late by turns, and nobody may leave it before.
  void prove_barrier();

  // Collective: proofs, values and tables of what was done.
  void report();

 private:
  struct Point {
    OfferedKind of;
    int index;  // in `messages`
    std::unique_ptr<Operation> operation;
    std::size_t column;
  };

  void one(Point& point, int repetition);
  bool gives_wrong(Kind kind) const;
  tenken::Table table(const std::string& name, const std::string& unit, double (*cell)(const Column&)) const;

  tenken::Check& check_;
  const Participants& group_;
  std::string operation_;
  std::vector<OfferedKind> kinds_;  // that are asked for
  std::unique_ptr<tenken::CommonClock> clock_;
  std::unique_ptr<Windows> windows_;
  bool turns_;
  std::unique_ptr<LastToCome> last_;  // of ranks that take turns
  std::vector<Point> points_;
  std::vector<Column> columns_;
  std::vector<std::int64_t> wrong_;      // bytes on this rank, by kind
  std::vector<std::int64_t> by_source_;  // by rank of the group
  std::int64_t early_ = 0;               // barriers left before all had come
  std::uint64_t sample_ = 0;
};

}  // namespace mpi_collectives
