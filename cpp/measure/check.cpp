#include "measure/check.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/median.hpp"
#include "measure/by_hand.hpp"
#include "measure/device.hpp"
#include "measure/frequency.hpp"
#include "measure/header.hpp"
#include "measure/launch_counters.hpp"
#include "measure/live_sections.hpp"
#include "measure/many_ranks.hpp"
#include "measure/memory.hpp"
#include "measure/node_caches.hpp"
#include "measure/planted.hpp"
#include "measure/rank_map.hpp"
#include "measure/record.hpp"
#include "measure/repetitions.hpp"
#include "measure/summary.hpp"
#include "measure/threads_run.hpp"
#include "parallel/requests.hpp"
#include "parallel/route_table.hpp"

namespace tenken {

namespace detail {
Live live;
}

namespace {

constexpr double frequency_interval_s = 0.02;
constexpr int most_frequency_samples = 64;

}  // namespace

struct Check::State {
  State(const CheckTable& the_table, int argc, char** argv)
      : table(the_table),
        parameters(the_table, argc, argv),
        threads(static_cast<int>(parameters.integer("threads"))),
        sections(live_sections(the_table, parameters)),
        slots(first_slots(the_table, parameters)),
        single(std::make_unique<bool[]>(sections.size())) {}

  const CheckTable& table;
  Parameters parameters;
  int threads;
  std::vector<LiveSection> sections;
  std::vector<int> slots;
  std::unique_ptr<bool[]> single;  // by section: its flop are in single precision

  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = 0;
  int ranks = 1;
  std::string started = utc_now();
  Clock clock;
  RankFacts facts;
  std::optional<Page> page;
  double timer_overhead_ns = 0;
  std::optional<TrustSnapshot> begin;
  int planned = 0;    // repetitions of the timed part
  int parts = 1;      // samples of a repetition
  int part_row = -1;  // of the first part of the repetition that runs; -1 where none is timed
  std::vector<std::pair<std::string, std::string>> libraries;
  std::vector<NamedValue> values;
  std::vector<Proof> proofs;
  std::string tables, tail;  // lines of rank 0: for the screen; of values, proofs and tables for the record
  std::string sharing;
  LaunchCounters counters;

  void use_row(int index) {
    detail::live.page = &page->header();
    detail::live.row = page->row(index);
  }

  // The plain clock before that under vectors: right after the measured code.
  void sample_clock() {
    facts.frequency_hz.push_back(team_frequency_hz(threads, clock.ns_per_tick()));
    facts.additions_per_cycle.push_back(team_additions_per_cycle(threads));
    if (table.held_to_peak && has_widest_vectors())
      facts.vector_frequency_hz.push_back(team_frequency_hz(threads, clock.ns_per_tick(), Beside::widest_vectors));
  }

  void set_state(tenken::State s) {
    page->header().state = static_cast<std::int32_t>(s);
    advanced();
  }

  // Median over batches of the time of one empty section, written to the discarded row.
  double measure_overhead() {
#if TENKEN_SECTIONS
    if (sections.empty()) return 0;
    use_row(Page::warm_up_row);
    constexpr int batch = 200;
    std::vector<double> each;
    for (int i = 0; i < 51; ++i) {
      const std::int64_t start = ticks_now();
      for (int k = 0; k < batch; ++k) Section section{Leaf{0}};
      each.push_back(static_cast<double>(ticks_now() - start) / batch);
    }
    std::fill_n(page->row(Page::warm_up_row), sections.size(), Cell{});
    page->header().steps = 0;
    return median_of(each) * clock.ns_per_tick();
#else
    return 0;
#endif
  }

  void add_value(std::string_view name, std::string_view unit, double value, bool chosen) {
    Json json;
    json.begin_object().field("type", "value").field("name", name).field("unit", unit).field("value", value);
    if (chosen) json.field("chosen", true);
    json.end_object();
    tail += json.text() + "\n";
    values.push_back({std::string(name), std::string(unit), value});
  }

  void add_validity(const ValiditySpec& proof, double value, double expected, double limit, const char* mode,
                    std::string_view why) {
    Json json;
    json.begin_object().field("type", "validity").field("name", proof.name).field("value", value);
    json.field("expected", expected).field("limit", limit).field("mode", mode);
    const std::string source = std::string(proof.source) + (why.empty() ? "" : "; " + std::string(why));
    json.field("source", source);
    json.end_object();
    tail += json.text() + "\n";
    proofs.push_back({std::string(proof.name), proof.tolerance, std::string(proof.expression), value, expected, limit,
                      std::string_view(mode) == "abs", source});
  }

  // The answer of a program that runs by hand; whether it is right, on every rank.
  bool print_by_hand(const LaunchCounted* counted) {
    const Named named{parameters, ranks, threads, page->header().completed, values};
    std::string rates = summary(*page, sections);
    if (counted != nullptr) rates += counted_in_words(*counted, sections, ranks, threads);
    const ByHand answer = answer_by_hand(proofs, named, rates, tables);
    if (rank == 0 && !sharing.empty()) std::printf("note     %s: times are not comparable\n", sharing.c_str());
    if (rank == 0) std::fputs(answer.text.c_str(), stdout);
    int right = answer.right ? 1 : 0;
    MPI_Bcast(&right, 1, MPI_INT, 0, comm);  // the proofs of rank 0 count
    return right == 1;
  }
};

Check::Check(const CheckTable& table, int argc, char** argv) : state_(std::make_unique<State>(table, argc, argv)) {
  State& s = *state_;
  s.comm = mapped(MPI_COMM_WORLD, s.parameters.text("rank_map"));
  MPI_Comm_rank(s.comm, &s.rank);
  MPI_Comm_size(s.comm, &s.ranks);
  if (!counter_is_invariant()) {
    impossible(
        "this processor has no invariant time-stamp counter, so timings here cannot be trusted; use another node");
  }
  require_device(table, s.parameters.text("variant"));
  omp_set_dynamic(0);
  omp_set_num_threads(s.threads);
  require_threads(s.threads);
  s.facts.rank = s.rank;
  require_regular(s.parameters.text("record"), "--record");
  const Wish wish{s.parameters.text("placement"), static_cast<int>(s.parameters.integer("reserve")),
                  s.parameters.text("membind")};
  s.facts.placement = place(MPI_COMM_WORLD, s.threads, wish);
  use_routes(s.comm, s.parameters.text("routes"));
  s.page.emplace(s.parameters.text("pages"), s.rank, paths_of(s.sections), s.clock.ns_per_tick(),
                 s.facts.placement.host, s.parameters.text("launch"));
  detail::live.slot = s.slots.data();
  detail::live.single = s.single.get();
  s.timer_overhead_ns = s.measure_overhead();
  s.use_row(Page::once_row);
}

Check::~Check() { detail::live = {}; }

const Parameters& Check::parameters() const { return state_->parameters; }
MPI_Comm Check::comm() const { return state_->comm; }
int Check::rank() const { return state_->rank; }
int Check::ranks() const { return state_->ranks; }
int Check::threads() const { return state_->threads; }
int Check::node_ranks() const { return state_->facts.placement.node_ranks; }
const std::string& Check::host() const { return state_->facts.placement.host; }
bool Check::oversubscribed() const { return state_->facts.placement.oversubscribed; }
const std::vector<int>& Check::numa() const { return state_->facts.placement.numa; }
CacheShare Check::cache_share() const { return cache_share_of_rank(comm(), threads(), state_->facts.placement.cpus); }

int Check::planned(int fallback) const {
  const auto asked = static_cast<int>(parameters().integer("repetitions"));
  return asked > 0 ? asked : fallback;
}

void Check::repeat(const std::function<void(int)>& pass, std::optional<double> asked_seconds) {
  State& s = *state_;
  const double seconds = asked_seconds.value_or(parameters().real("seconds"));
  const auto timed = [&](int number) {
    MPI_Barrier(s.comm);
    const std::int64_t start = monotonic_ns();
    pass(number);
    return max_over_ranks(static_cast<double>(monotonic_ns() - start) * 1e-9);
  };
  s.use_row(Page::warm_up_row);
  double estimate = timed(-2);  // first touch, connections
  if (estimate < slow_pass(seconds)) estimate = timed(-1);
  s.use_row(Page::once_row);
  const int repetitions = planned(fitting_repetitions(seconds, estimate));
  Timing timing(*this, repetitions, estimate);
  // Planted ends of the program come in the middle of the plan, so that group does not end before.
  const bool by_time = planned(0) == 0 && !fault("crash") && !fault("hang");
  GroupEnd end(seconds, repetitions);
  const std::int64_t start = monotonic_ns();
  for (int done = 0; done < repetitions;) {
    {
      const auto repetition = timing.next();
      pass(done);
    }
    ++done;
    if (!by_time || !end.due(done)) continue;
    if (end.over(done, max_over_ranks(static_cast<double>(monotonic_ns() - start) * 1e-9))) break;
  }
}

void Check::split(int parts) {
  if (state_->begin) impossible("a check splits its repetitions before they are timed");  // a mistake in a check
  state_->parts = parts;
}

void Check::part(int number) {
  if (number < 0 || number >= state_->parts)
    impossible("part " + std::to_string(number) + " of a repetition that was split into " +
               std::to_string(state_->parts));
  if (state_->part_row >= 0) state_->use_row(state_->part_row + number);
}

void Check::prove(const ValiditySpec& proof, double value) {
  state_->add_validity(proof, value, 0, proof.tolerance, "max", "");
}
void Check::prove_near(const ValiditySpec& proof, double value, double expected) {
  state_->add_validity(proof, value, expected, proof.tolerance, "abs", "");
}
void Check::prove(const ValiditySpec& proof, double value, double limit, std::string_view why) {
  state_->add_validity(proof, value, 0, limit, "max", why);
}
void Check::prove_near(const ValiditySpec& proof, double value, double expected, double limit, std::string_view why) {
  state_->add_validity(proof, value, expected, limit, "abs", why);
}

void Check::value(std::string_view name, std::string_view unit, double value) {
  state_->add_value(name, unit, value, false);
}

void Check::chosen(std::string_view name, std::string_view unit, double value) {
  state_->add_value(name, unit, value, true);
}

void Check::table(const Table& table) {
  if (state_->rank != 0) return;
  const std::string line = table_line(table);
  state_->tail += line;
  state_->tables += table.form == Form::field || table.form == Form::ranks ? named_only(table) : line;
}

void Check::library(std::string_view role, std::string_view name_and_version) {
  state_->libraries.emplace_back(role, name_and_version);
}

void Check::card(const UsedCard& card, const std::string& sharing) {
  state_->facts.card = card;
  state_->sharing = sharing;
}

void Check::require_memory(double bytes_per_rank, std::string_view purpose) const {
  const double needed = bytes_per_rank * node_ranks();
  double available = static_cast<double>(available_memory_bytes());
  MPI_Allreduce(MPI_IN_PLACE, &available, 1, MPI_DOUBLE, MPI_MIN, comm());
  if (needed <= available) return;
  char text[160];
  std::snprintf(text, sizeof text,
                " needs %.3g GiB on each node (%d ranks), but %.3g GiB are available; choose a smaller size",
                needed / (1 << 30), node_ranks(), available / (1 << 30));
  impossible(std::string(purpose) + text);
}

double Check::max_over_ranks(double x) const {
  double values[2] = {std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_MAX, comm());
  advanced();
  return values[1] > 0 ? std::numeric_limits<double>::quiet_NaN() : values[0];
}

double Check::sum_over_ranks(double x) const {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm());
  advanced();
  return x;
}

ExitCode Check::finish() {
  State& s = *state_;
  bool right = true;
  s.set_state(tenken::State::gathering);
  if (!s.begin) impossible("the check " + std::string(s.table.name) + " ended without a timed repetition");
  if (routes_in_use() != nullptr)
    value("messages_through_memory", "1", sum_over_ranks(static_cast<double>(messages_through_memory())));
  const std::string path = s.parameters.text("record");
  std::optional<LaunchCounted> counted;
  if (s.counters.wanted()) counted = s.counters.gathered(s.comm, s.clock.ns_per_tick());
  const LaunchCounted* const counters = counted ? &*counted : nullptr;
  if (path.empty()) {
    right = s.print_by_hand(counters);
  } else {
    s.set_state(tenken::State::writing);
    const Kept kept = kept_samples(s.comm, *s.page, s.sections);
    const std::string head = header_line({s.table,
                                          s.parameters,
                                          s.clock,
                                          s.sections,
                                          {s.single.get(), s.sections.size()},
                                          s.libraries,
                                          s.ranks,
                                          s.threads,
                                          s.timer_overhead_ns,
                                          s.started,
                                          s.planned,
                                          s.page->header().completed,
                                          kept.all,
                                          counters});
    write_record(s.comm, path, head, rank_line(s.facts) + kept.series, kept.summaries + s.tail);
  }
  s.set_state(tenken::State::done);
  return right ? ExitCode::ok : ExitCode::wrong;
}

Timing::Timing(Check& check, int repetitions, double seconds_each_estimate) : check_(check), planned_(repetitions) {
  Check::State& s = *check.state_;
  if (s.begin) impossible("a check can be timed once a launch");  // a mistake in a check, found in its first test
  s.page->reserve(repetitions, s.parts);
  s.planned = repetitions;
  s.use_row(Page::once_row);
  const int by_time = seconds_each_estimate > 0 ? static_cast<int>(frequency_interval_s / seconds_each_estimate) : 1;
  frequency_stride_ = std::max({1, by_time, (repetitions + most_frequency_samples - 1) / most_frequency_samples});
  s.facts.frequency_hz.reserve(most_frequency_samples + 2);
  s.facts.additions_per_cycle.reserve(most_frequency_samples + 2);
  s.facts.vector_frequency_hz.reserve(most_frequency_samples + 2);
  team_frequency_hz(s.threads, s.clock.ns_per_tick());  // discarded: the cores may still be waking up
  s.sample_clock();
  if (s.parameters.text("counters") == "on") s.counters.start(s.comm, s.threads, s.sections.size());
  s.set_state(tenken::State::timing);
  MPI_Barrier(s.comm);
  s.begin = trust_now(s.facts.placement, s.threads);
}

Timing::~Timing() {
  Check::State& s = *check_.state_;
  const TrustSnapshot end = trust_now(s.facts.placement, s.threads);
  s.page->header().planned = repetition_;  // whoever watches does not wait for those that a group left out
  s.counters.stop();
  s.facts.trust = between(*s.begin, end, s.facts.placement);
  s.facts.begin_processors = s.begin->processors;
  s.facts.pages = pages_by_node();
  s.facts.end_processors = end.processors;
  s.sample_clock();
  s.use_row(Page::once_row);
}

Timing::Repetition::Repetition(Timing& timing) : timing_(timing) {
  plant_fault(timing.check_, timing.repetition_, timing.planned_);
  Check::State& s = *timing.check_.state_;
  s.part_row = Page::first_repetition_row + timing.repetition_ * s.parts;
  s.use_row(s.part_row);
}

Timing::Repetition::~Repetition() {
  Check::State& s = *timing_.check_.state_;
  s.part_row = -1;
  ++timing_.repetition_;
  s.page->header().completed = timing_.repetition_;
  advanced();
  // By number, not by time: every rank does it after the same repetition.
  if (timing_.repetition_ % timing_.frequency_stride_ == 0) s.sample_clock();
  s.use_row(Page::once_row);
}

}  // namespace tenken
