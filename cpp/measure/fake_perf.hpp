// A fake of perf_event_open for tests: denied, missing, zero, multiplexed or right.
#pragma once

#include <cerrno>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "measure/perf_counters.hpp"

namespace tenken {

// Event k of a group (0, 1, ...) counts (k + 1) x `step` from one reading of the group to the next; both times grow by
// `step_ns`. From several threads at once.
class FakePerf : public PerfSystem {
 public:
  int error = 0;                                            // errno of every open
  std::set<std::pair<std::uint32_t, std::uint64_t>> lacks;  // types and configs that are not there
  std::size_t room = 8;                                     // events of a group
  std::uint64_t step = 1000;
  std::uint64_t step_ns = 500;
  std::uint64_t missed_ns = 0;  // of the time enabled from one reading to the next, without a counter
  bool no_place = false;        // a pinned group that is never scheduled: nothing is read of it
  int most_open = 1 << 20;

  struct Opened {
    perf_event_attr attributes;
    pid_t task;
    int cpu;
    int leader;
  };

  int open(const perf_event_attr& attributes, pid_t task, int cpu, int leader) override {
    const std::lock_guard lock(mutex_);
    if (error != 0) return -error;
    if (lacks.contains({attributes.type, attributes.config})) return -ENOENT;
    if (static_cast<int>(open_.size()) >= most_open) return -EMFILE;
    if (leader >= 0 && members_[leader] >= room) return -EINVAL;
    const int descriptor = next_++;
    open_.insert(descriptor);
    opened.push_back({attributes, task, cpu, leader});
    ++members_[leader < 0 ? descriptor : leader];
    return descriptor;
  }

  long read(int descriptor, std::span<std::uint64_t> words) override {
    const std::lock_guard lock(mutex_);
    ++reads;
    if (!open_.contains(descriptor)) return -EBADF;
    if (no_place) return 0;
    const std::uint64_t turn = ++turns_[descriptor];
    const std::size_t events = members_[descriptor];
    if (words.size() < events + 3) return -ENOSPC;
    words[0] = events;
    words[1] = turn * step_ns;
    words[2] = turn * (step_ns - missed_ns);
    for (std::size_t k = 0; k < events; ++k) words[3 + k] = turn * step * (k + 1);
    return static_cast<long>(events + 3);
  }

  void close(int descriptor) override {
    const std::lock_guard lock(mutex_);
    open_.erase(descriptor);
  }

  std::size_t still_open() const { return open_.size(); }

  std::vector<Opened> opened;
  int reads = 0;

 private:
  std::mutex mutex_;
  std::set<int> open_;
  std::map<int, std::size_t> members_;  // by leader
  std::map<int, std::uint64_t> turns_;  // readings so far
  int next_ = 3;
};

}  // namespace tenken
