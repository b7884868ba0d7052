// What counters cost a sample: empty sections, in turn without and with counters:
//
//   counters_cost system_call|direct THREADS ROUNDS
//
// The processor needs no counters: with a system call a reading, four software events of the kernel stand in; with
// direct readings, the time-stamp counter. Printed, one JSON object: ns a sample, medians over the rounds; `recorded_`
// is the part that the time of the section has.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "in_turn.hpp"
#include "measure/open_sections.hpp"
#include "measure/section_counters.hpp"

namespace {

using namespace tenken;

// The kernel's count of page faults in place of each event.
class SoftwareEvents : public PerfSystem {
 public:
  int open(const perf_event_attr& attributes, pid_t task, int cpu, int leader) override {
    perf_event_attr instead = attributes;
    instead.type = PERF_TYPE_SOFTWARE;
    instead.config = PERF_COUNT_SW_PAGE_FAULTS;
    return perf_system().open(instead, task, cpu, leader);
  }
  long read(int descriptor, std::span<std::uint64_t> words) override { return perf_system().read(descriptor, words); }
  void close(int descriptor) override { perf_system().close(descriptor); }
};

class TimeStamps : public SoftwareEvents {
 public:
  const perf_event_mmap_page* map(int) override { return &page_; }
  std::uint64_t counter(std::uint32_t) override { return static_cast<std::uint64_t>(ticks_now()) >> 20U; }
  std::uint64_t time_stamp() override { return static_cast<std::uint64_t>(ticks_now()); }
  long read(int, std::span<std::uint64_t> words) override {  // agrees with what is read directly
    words[0] = words.size() - 3;
    words[1] = words[2] = time_stamp();
    for (std::size_t k = 3; k < words.size(); ++k) words[k] = counter(0);
    return static_cast<long>(words.size());
  }
  TimeStamps() {
    page_.index = 1;
    page_.cap_user_rdpmc = page_.cap_user_time = 1;
    page_.pmc_width = 48;
    page_.time_mult = 1;
  }

 private:
  perf_event_mmap_page page_{};
};

constexpr std::array<SectionSpec, 1> sections = {{{"a", Kind::compute, true, ""}}};
constexpr int batch = 200;

void empty_sections(SectionCounters* counters) {
  detail::live.counters = counters;
  for (int i = 0; i < batch; ++i) Section section{Leaf{0}};
  detail::live.counters = nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "direct";
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1, rounds = argc > 3 ? std::atoi(argv[3]) : 201;
  CheckTable table{};
  table.sections = sections;
  const OpenSections open(table);
  SoftwareEvents software;
  TimeStamps stamps;
  PerfSystem& system = way == "direct" ? static_cast<PerfSystem&>(stamps) : software;
  SectionCounters counters(system, Tree("/"), threads, 1, false);
  if (!counters.problem().empty()) {
    std::fprintf(stderr, "counters_cost: %s\n", counters.problem().c_str());
    return 3;
  }
  std::array<std::vector<double>, 2> recorded;
  const auto timed = [&](std::size_t which, SectionCounters* on) {
    const std::int64_t before = open.cell(0).ticks;
    empty_sections(on);
    recorded[which].push_back(static_cast<double>(open.cell(0).ticks - before));
  };
  const auto ticks = times_in_turn<2>(rounds, {[&] { timed(0, nullptr); }, [&] { timed(1, &counters); }}, [] {});
  if (counters.sections()[0].samples == 0) return 1;
  const double ns = Clock().ns_per_tick() / batch;
  std::printf("{\"way\": \"%s\", \"threads\": %d", way.c_str(), threads);
  for (const std::size_t which : {0, 1}) {
    const char* const name = which == 0 ? "off" : "on";
    std::printf(", \"%s\": %.0f, \"recorded_%s\": %.1f", name, median(ticks[which]) * ns, name,
                median(recorded[which]) * ns);
  }
  std::printf("}\n");
}
