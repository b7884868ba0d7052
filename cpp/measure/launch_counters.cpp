#include "measure/launch_counters.hpp"

#include <algorithm>
#include <cstdio>

#include "measure/section.hpp"

namespace tenken {

namespace {

constexpr std::size_t whole_numbers = 8 + counted_events;

std::array<std::int64_t, whole_numbers> flat(const CountedSection& one) {
  return {one.samples,   one.dropped,   one.ticks, one.processor_ns, one.counts[0],     one.counts[1],
          one.counts[2], one.counts[3], one.flop,  one.bytes_read,   one.bytes_written, one.memory_samples};
}

CountedSection section_of(const std::int64_t* whole, const double* bytes) {
  CountedSection one;
  one.samples = whole[0];
  one.dropped = whole[1];
  one.ticks = whole[2];
  one.processor_ns = whole[3];
  std::copy_n(whole + 4, counted_events, one.counts.begin());
  one.flop = whole[8];
  one.bytes_read = whole[9];
  one.bytes_written = whole[10];
  one.memory_samples = whole[11];
  one.memory_read = bytes[0];
  one.memory_written = bytes[1];
  return one;
}

// The text of the first rank that has one, on every rank.
std::string first_text(MPI_Comm comm, const std::string& mine) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = mine.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return "";
  int length = static_cast<int>(mine.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  std::string text = mine;
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, first, comm);
  return text;
}

bool first_of_node(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  return rank == 0;
}

}  // namespace

void LaunchCounters::start(MPI_Comm comm, int threads, std::size_t cells, PerfSystem& system, const Tree& tree) {
  wanted_ = true;
  counters_ = std::make_unique<SectionCounters>(system, tree, threads, cells, first_of_node(comm));
  if (counters_->problem().empty()) detail::live.counters = counters_.get();
}

void LaunchCounters::stop() {
  if (!counters_ || detail::live.counters != counters_.get()) return;
  detail::live.counters = nullptr;
  late_threads_ = counters_->late_threads();
}

LaunchCounted LaunchCounters::gathered(MPI_Comm comm, double ns_per_tick) const {
  LaunchCounted all;
  all.ns_per_tick = ns_per_tick;
  all.problem = first_text(comm, counters_ ? counters_->problem() : "not counted: no repetition was timed");
  if (!all.problem.empty()) return all;
  all.memory_problem = first_text(comm, counters_->memory_problem());
  std::array<int, counted_events> offered{};  // what each rank counts
  for (std::size_t i = 0; i < counted_events; ++i) offered[i] = counters_->counts(static_cast<Counted>(i)) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, offered.data(), static_cast<int>(counted_events), MPI_INT, MPI_MIN, comm);
  std::copy(offered.begin(), offered.end(), all.counts.begin());
  std::array<std::int64_t, 2> sums = {late_threads_, counters_->counts_memory() ? 1 : 0};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_INT64_T, MPI_SUM, comm);
  all.line_bytes = counters_->line_bytes();
  all.late_threads = sums[0];
  all.memory_ranks = sums[1];
  std::vector<std::int64_t> whole;
  std::vector<double> bytes;
  for (const CountedSection& one : counters_->sections()) {
    const auto numbers = flat(one);
    whole.insert(whole.end(), numbers.begin(), numbers.end());
    bytes.insert(bytes.end(), {one.memory_read, one.memory_written});
  }
  MPI_Allreduce(MPI_IN_PLACE, whole.data(), static_cast<int>(whole.size()), MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, bytes.data(), static_cast<int>(bytes.size()), MPI_DOUBLE, MPI_SUM, comm);
  for (std::size_t s = 0; s < counters_->sections().size(); ++s) {
    all.sections.push_back(section_of(&whole[s * whole_numbers], &bytes[2 * s]));
  }
  std::int64_t samples = 0, instructions = 0;
  for (const CountedSection& one : all.sections) {
    samples += one.samples;
    instructions += one.counts[static_cast<std::size_t>(Counted::instructions)];
  }
  if (samples > 0 && instructions == 0) {
    all = {};
    all.problem = "not counted: the counter of instructions is 0 after " + std::to_string(samples) +
                  " samples; a hypervisor may offer counters that do not count";
  }
  return all;
}

void write_counted(Json& json, const LaunchCounted& counted) {
  const auto text_or_null = [&](std::string_view name, const std::string& text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text);
  };
  json.begin_object();
  text_or_null("problem", counted.problem);
  if (!counted.problem.empty()) {
    json.end_object();
    return;
  }
  text_or_null("memory_problem", counted.memory_problem);
  json.field("line_bytes", counted.line_bytes)
      .field("late_threads", counted.late_threads)
      .field("memory_ranks", counted.memory_ranks);
  json.key("sections").begin_array();
  for (std::size_t s = 0; s < counted.sections.size(); ++s) {
    const CountedSection& one = counted.sections[s];
    if (one.samples + one.dropped == 0) continue;
    json.begin_object().field("section", s).field("samples", one.samples).field("dropped", one.dropped);
    json.field("ns", static_cast<std::int64_t>(static_cast<double>(one.ticks) * counted.ns_per_tick));
    json.field("processor_ns", one.processor_ns);
    for (std::size_t i = 0; i < counted_events; ++i) {
      json.key(name_of(static_cast<Counted>(i)));
      counted.counts[i] ? json.value(one.counts[i]) : json.null();
    }
    json.field("memory_samples", one.memory_samples).key("memory_read");
    const bool memory = one.memory_samples > 0;
    memory ? json.value(one.memory_read) : json.null();
    json.key("memory_written");
    memory ? json.value(one.memory_written) : json.null();
    json.field("flop", one.flop).field("bytes_read", one.bytes_read).field("bytes_written", one.bytes_written);
    json.end_object();
  }
  json.end_array().end_object();
}

std::string counted_in_words(const LaunchCounted& counted, const std::vector<LiveSection>& sections, int ranks,
                             int threads) {
  if (!counted.problem.empty()) return "counters " + counted.problem + "\n";
  const auto line_bytes = static_cast<double>(counted.line_bytes);
  std::string text =
      "counted, all ranks            samples   dropped  Ginstr/s  instr/cycle  L2 miss GB/s  "
      "LL miss GB/s  memory GB/s   busy %\n";
  for (std::size_t s = 0; s < counted.sections.size(); ++s) {
    const CountedSection& one = counted.sections[s];
    if (one.samples + one.dropped == 0) continue;
    const double ns = static_cast<double>(one.ticks) * counted.ns_per_tick;  // of each rank, summed
    const auto cell = [&](bool shown, int width, double value, int digits = 3) {
      char number[32];
      shown&& one.samples > 0 ? std::snprintf(number, sizeof number, "%*.*f", width, digits, value)
                              : std::snprintf(number, sizeof number, "%*s", width, "-");
      return std::string(number);
    };
    const auto rate = [&](Counted what, int width, double bytes) {
      const auto at = static_cast<std::size_t>(what);
      return cell(counted.counts[at], width, static_cast<double>(one.counts[at]) * bytes * ranks / ns);
    };
    char head[96];
    std::snprintf(head, sizeof head, "%-28s %8lld  %8lld", sections[s].path.c_str(),
                  static_cast<long long>(one.samples), static_cast<long long>(one.dropped));
    const double memory = (one.memory_read + one.memory_written) * static_cast<double>(one.samples) *
                          static_cast<double>(counted.memory_ranks) /
                          (ns * static_cast<double>(std::max<std::int64_t>(1, one.memory_samples)));
    text += head + rate(Counted::instructions, 10, 1) +
            cell(one.counts[1] > 0, 13, static_cast<double>(one.counts[0]) / static_cast<double>(one.counts[1])) +
            rate(Counted::l2_misses, 14, line_bytes) + rate(Counted::last_level_misses, 14, line_bytes) +
            cell(one.memory_samples > 0, 13, memory) +
            cell(true, 9, 100 * static_cast<double>(one.processor_ns) / (ns * threads), 1) + "\n";
  }
  if (counted.late_threads > 0) {
    text += "note     threads that started later and are not counted: " + std::to_string(counted.late_threads) + "\n";
  }
  if (!counted.memory_problem.empty()) text += "memory   " + counted.memory_problem + "\n";
  return text;
}

}  // namespace tenken
