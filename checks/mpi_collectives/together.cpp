#include "together.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <limits>
#include <numeric>

#include "measure/own_sample.hpp"
#include "this_check.hpp"

namespace mpi_collectives {

namespace {

using namespace this_check;

// In the order of kind_names.
constexpr std::array sections{section::window_barrier,  section::window_bcast,      section::window_allreduce,
                              section::window_reduce,   section::window_allgatherv, section::window_alltoall,
                              section::window_neighbour};
constexpr std::array proofs{validity::barrier,    validity::bcast,    validity::allreduce, validity::reduce,
                            validity::allgatherv, validity::alltoall, validity::neighbour};
constexpr double held_ns = 2000;         // what the fault late_rank takes from the last rank, each time
constexpr double delayed_ns = 5000;      // what the fault delayed_inside takes from it inside of each call
constexpr double late_comer_ns = 50000;  // in the proof of barriers
constexpr int most_late_comers = 8;

}  // namespace

Offer offer_of_host(const Participants& group) {
  Offer offer;
  for (std::size_t kind = 0; kind < kind_names.size(); ++kind)
    offer.kinds.push_back({static_cast<Kind>(kind), sections[kind], &proofs[kind]});
  offer.make = [&group](Kind kind, std::int64_t bytes) { return make_operation(kind, group.comm(), bytes); };
  return offer;
}

Together::Together(tenken::Check& check, const Participants& group, const std::string& operation, const Offer& offer)
    : check_(check),
      group_(group),
      operation_(operation),
      turns_(operation == "all" && offer.turns),
      wrong_(kind_names.size()) {
  const std::vector<std::int64_t> messages = check.parameters().integers("messages");
  double memory = 0;
  for (const std::int64_t bytes : messages) {
    if (bytes % static_cast<std::int64_t>(bytes_of_word) != 0) {
      tenken::refuse("--messages " + std::to_string(bytes) + " must be a multiple of 4, the bytes of a word");
    }
  }
  for (const OfferedKind& of : offer.kinds) {
    if (operation == "all" || operation == kind_names[static_cast<std::size_t>(of.kind)]) kinds_.push_back(of);
  }
  for (const OfferedKind& of : kinds_) {
    for (const std::int64_t bytes : messages) memory += memory_of(of.kind, group.size(), bytes);
  }
  check.require_memory(check.max_over_ranks(memory), "the buffers of all operations");
  if (!group.takes_part()) return;
  clock_ = std::make_unique<tenken::CommonClock>(group.comm());
  windows_ = std::make_unique<Windows>(group.comm(), *clock_, check.oversubscribed());
  if (turns_) last_ = std::make_unique<LastToCome>(group, *windows_, clock_->ns_per_tick());
  by_source_.resize(static_cast<std::size_t>(group.size()));
  for (const OfferedKind& of : kinds_) {
    const bool sized = of.kind != Kind::barrier;
    for (std::size_t index = 0; index < (sized ? messages.size() : 1); ++index) {
      const std::string size = sized ? "/" + std::to_string(messages[index]) : "";
      points_.push_back({of, static_cast<int>(index), offer.make(of.kind, messages[index]), columns_.size()});
      columns_.push_back({std::string(kind_names[static_cast<std::size_t>(of.kind)]) + size, {}, {}, 0, 0});
    }
  }
}

void Together::pass(int repetition) {
  for (Point& point : points_) one(point, repetition);
  const bool delayed = check_.fault("delayed_inside") && group_.rank() == group_.size() - 1;
  if (last_) last_->pass(repetition >= 0, delayed ? delayed_ns : 0.0);
}

// One rank of the team: the last, but where the broadcast alone is measured, to which only the first gives anything.
bool Together::gives_wrong(Kind kind) const {
  if (kind == Kind::bcast) return operation_ == kind_names[static_cast<std::size_t>(kind)] && group_.rank() == 0;
  return group_.rank() == group_.size() - 1;
}

void Together::one(Point& point, int repetition) {
  Operation& operation = *point.operation;
  operation.prepare(++sample_);
  const bool last = group_.rank() == group_.size() - 1;
  if (check_.fault("wrong_byte") && gives_wrong(point.of.kind)) operation.spoil();
  tenken::OwnSample sample(point.of.section, point.index);
  if (check_.fault("dead_rank") && last && repetition == 1)
    std::raise(SIGKILL);  // the others go into collectives without it
  const Windows::Seen seen = windows_->run([&] { operation.run(); }, check_.fault("late_rank") && last ? held_ns : 0.0);
  const std::int64_t wrong = operation.wrong(by_source_);
  wrong_[static_cast<std::size_t>(point.of.kind)] += wrong;
  if (repetition < 0) return;
  Column& column = columns_[point.column];
  ++column.windows;
  column.missed += seen.in_time ? 0 : 1;
  if (!seen.all_in_time) return;
  sample.add(seen.ticks, operation.work());
  column.begun_us.push_back(static_cast<float>(seen.begun / 1000));
  column.ended_us.push_back(static_cast<float>(static_cast<double>(seen.ticks) * clock_->ns_per_tick() / 1000));
}

void Together::prove_barrier() {
  if (!group_.takes_part() || (operation_ != "all" && operation_ != "barrier")) return;
  for (int late = 0; late < std::min(group_.size(), most_late_comers); ++late) {
    double come = std::numeric_limits<double>::lowest();
    MPI_Barrier(group_.comm());
    if (group_.rank() == late) {
      const double start = clock_->now();
      while (clock_->now() < start + late_comer_ns) {
      }
      come = clock_->now();
    }
    MPI_Barrier(group_.comm());
    const double left = clock_->now();
    MPI_Bcast(&come, 1, MPI_DOUBLE, late, group_.comm());
    double error = clock_->error_ns();
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, group_.comm());
    early_ += left < come - 2 * error ? 1 : 0;
  }
}

tenken::Table Together::table(const std::string& name, const std::string& unit, double (*cell)(const Column&)) const {
  // Of ranks that take no part there are rows without figures.
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name);
  auto count = static_cast<int>(names.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, check_.comm());  // rank 0 always takes part
  std::vector<double> own(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < columns_.size(); ++i) own[i] = cell(columns_[i]);
  return gather_rows(check_, name, unit, names, own);
}

void Together::report() {
  wrong_[static_cast<std::size_t>(Kind::barrier)] = early_;
  for (const OfferedKind& of : kinds_) {
    check_.prove(*of.proof, check_.sum_over_ranks(static_cast<double>(wrong_[static_cast<std::size_t>(of.kind)])));
  }
  check_.table(table("begun", "us", [](const Column& one) { return median_of(one.begun_us); }));
  check_.table(table("ended", "us", [](const Column& one) { return median_of(one.ended_us); }));
  check_.table(table("missed", "1", [](const Column& one) {
    return one.windows > 0 ? static_cast<double>(one.missed) / static_cast<double>(one.windows) : 0.0;
  }));
  if (turns_) {
    const std::vector<double> none(LastToCome::names().size(), std::numeric_limits<double>::quiet_NaN());
    check_.table(gather_rows(check_, "last", "us", LastToCome::names(), last_ ? last_->medians() : none));
  }
  // Whose bytes were wrong, as all ranks of all groups saw it, and on whom.
  std::vector<std::int64_t> from(static_cast<std::size_t>(check_.ranks()));
  for (std::size_t i = 0; i < by_source_.size(); ++i) from[static_cast<std::size_t>(group_.ranks()[i])] = by_source_[i];
  MPI_Allreduce(MPI_IN_PLACE, from.data(), check_.ranks(), MPI_INT64_T, MPI_SUM, check_.comm());
  const auto got = static_cast<double>(std::accumulate(wrong_.begin() + 1, wrong_.end(), std::int64_t{0}));
  check_.table(gather_rows(check_, "wrong", "B", {"given", "got"},
                           {static_cast<double>(from[static_cast<std::size_t>(check_.rank())]), got}));
  check_.value("clock_error_ns", "ns", check_.max_over_ranks(clock_ ? clock_->error_ns() : 0));
  check_.value("windows_lead_us", "us", windows_ ? windows_->lead_ns() / 1000 : 0);
}

}  // namespace mpi_collectives
