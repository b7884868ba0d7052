#include "measure/section_counters.hpp"

#include <omp.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "measure/clock.hpp"
#include "measure/section.hpp"

namespace tenken {

namespace {

// The team thread that this thread was when its group was opened: OpenMP may end a thread and start another.
thread_local const void* opened_by = nullptr;

pid_t this_task() { return static_cast<pid_t>(syscall(SYS_gettid)); }

std::set<pid_t> tasks_now() {
  std::set<pid_t> tasks;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (const auto number = parse_number(entry.path().filename().string())) tasks.insert(static_cast<pid_t>(*number));
  }
  return tasks;
}

}  // namespace

namespace detail {

std::int64_t begin_count(bool leaf) noexcept {
  if (leaf) live.counters->begin();
  return live.counters->reading_ticks();
}

std::int64_t end_count(bool leaf, int slot, std::int64_t before, std::int64_t ticks, Work work) noexcept {
  const std::int64_t own = ticks - (live.counters->reading_ticks() - before);
  if (leaf) live.counters->end(slot, own, work);
  return own;
}

}  // namespace detail

SectionCounters::Idle SectionCounters::idle_by_policy() {
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  return policy != nullptr && strcasecmp(policy, "passive") == 0 ? Idle::asleep : Idle::awake;
}

SectionCounters::SectionCounters(PerfSystem& system, const Tree& tree, int threads, std::size_t cells, bool memory,
                                 Idle idle)
    : team_(std::make_unique<Thread[]>(static_cast<std::size_t>(threads))),
      threads_(threads),
      idle_(idle),
      sections_(cells) {
  line_bytes_ = tree.number("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size").value_or(line_bytes_);
  OfferedEvents offered = offered_events(system, core_events(tree));
  if (offered.error != 0) {
    problem_ = refusal_of(offered.error, tree);
  } else {
    events_ = std::move(offered.events);
    open(system, tree);
  }
  if (!problem_.empty() || !memory) return;
  memory_ = std::make_unique<MemoryCounters>(system, tree);
  memory_problem_ = memory_->problem();
  if (!memory_problem_.empty()) memory_.reset();
}

SectionCounters::~SectionCounters() = default;

void SectionCounters::open(PerfSystem& system, const Tree& tree) {
  for (const CoreEvent& one : events_) plain_.push_back(one.event);
#pragma omp parallel num_threads(threads_)
  {
    Thread& mine = team_[static_cast<std::size_t>(omp_get_thread_num())];
    mine.task = this_task();
    mine.group.emplace(system, plain_, CounterGroup::Target{});
    opened_by = &mine;
  }
  std::set<pid_t> left = tasks_now();
  int error = 0;
  for (int t = 0; t < threads_; ++t) {
    const Thread& one = team_[static_cast<std::size_t>(t)];
    left.erase(one.task);
    if (!one.group) {
      problem_ = "not counted: fewer OpenMP threads started than were asked for";
      return;
    }
    if (error == 0) error = one.group->error();
  }
  others_.reserve(left.size());
  for (const pid_t task : left) {
    if (error != 0) break;
    Thread other;
    other.task = task;
    other.group.emplace(system, plain_, CounterGroup::Target{.task = task});
    if (other.group->error() == ESRCH) continue;  // it has ended
    error = other.group->error();
    others_.push_back(std::move(other));
  }
  if (error == 0) return;
  problem_ = refusal_of(error, tree);
  others_.clear();
  for (int t = 0; t < threads_; ++t) team_[static_cast<std::size_t>(t)].group.reset();
}

bool SectionCounters::counts(Counted what) const {
  return std::any_of(events_.begin(), events_.end(), [&](const CoreEvent& one) { return one.what == what; });
}

int SectionCounters::late_threads() const {
  std::set<pid_t> left = tasks_now();
  for (int t = 0; t < threads_; ++t) left.erase(team_[static_cast<std::size_t>(t)].task);
  for (const Thread& one : others_) left.erase(one.task);
  return static_cast<int>(left.size());
}

void SectionCounters::read(GroupReading Thread::*into) noexcept {
  if (idle_ == Idle::asleep) {
    for (int t = 1; t < threads_; ++t) {
      Thread& thread = team_[static_cast<std::size_t>(t)];
      thread.*into = thread.group->read_by_system();
    }
  }
  const auto mine = [&](int t) {
    Thread& thread = team_[static_cast<std::size_t>(t)];
    thread.*into = opened_by == &thread ? thread.group->read() : GroupReading{};
  };
  if (threads_ == 1 || idle_ == Idle::asleep) {
    mine(0);
    return;
  }
#pragma omp parallel num_threads(threads_)
  mine(omp_get_thread_num());
}

void SectionCounters::read_other(GroupReading Thread::*into) noexcept {
  for (Thread& one : others_) one.*into = one.group->read_by_system();
}

void SectionCounters::begin() noexcept {
  const std::int64_t start = ticks_now();
  read_again_ = samples_open_++ > 0;
  if (memory_) memory_->begin();
  read_other(&Thread::before);
  read(&Thread::before);  // last: nearest to the sample
  reading_ticks_ += ticks_now() - start;
}

void SectionCounters::end(int slot, std::int64_t ticks, const Work& work) noexcept {
  const std::int64_t start = ticks_now();
  read(&Thread::after);
  read_other(&Thread::after);
  const auto bytes = memory_ ? memory_->end() : std::optional(MemoryCounters::Bytes{});
  CountedSection& section = sections_[static_cast<std::size_t>(slot)];
  const bool overwritten = --samples_open_ == 0 && read_again_;
  if (bytes && !overwritten && add_counts(section)) {
    section.samples += 1;
    section.ticks += ticks;
    section.flop += work.flop;
    section.bytes_read += work.bytes_read;
    section.bytes_written += work.bytes_written;
    section.memory_samples += memory_ ? 1 : 0;
    section.memory_read += bytes->read;
    section.memory_written += bytes->written;
  } else {
    section.dropped += 1;
  }
  reading_ticks_ += ticks_now() - start;
}

// False, and nothing added, where a group of any thread does not count for the whole sample.
bool SectionCounters::add_counts(CountedSection& section) const noexcept {
  std::array<std::int64_t, counted_events> sums{};
  std::int64_t processor_ns = 0;
  const auto add = [&](const Thread& thread) {
    const auto counted = counted_between(thread.before, thread.after);
    if (!counted) return false;
    processor_ns += static_cast<std::int64_t>(counted->enabled_ns);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      sums[static_cast<std::size_t>(events_[i].what)] += static_cast<std::int64_t>(counted->counts[i]);
    }
    return true;
  };
  for (int t = 0; t < threads_; ++t) {
    if (!add(team_[static_cast<std::size_t>(t)])) return false;
  }
  if (!std::all_of(others_.begin(), others_.end(), add)) return false;
  section.processor_ns += processor_ns;
  for (std::size_t i = 0; i < counted_events; ++i) section.counts[i] += sums[i];
  return true;
}

}  // namespace tenken
