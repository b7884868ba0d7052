// All working sets on all page sizes, measured one after the other.
#pragma once

#include <sched.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "kernel.hpp"
#include "known.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"

namespace cache {

constexpr int samples = 9;                  // of each size, in each sweep
constexpr std::int64_t sample_ns = 100000;  // about
constexpr std::int64_t first_loads = 256;
constexpr std::int64_t most_loads = 1 << 20;
constexpr std::size_t chased_round = std::size_t{32} << 20;  // bytes: larger sets are not gone round before a sample

inline double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// One page size: its memory, and all samples of every working set.
struct Memory {
  std::string pages;
  tenken::Buffer<std::uint64_t> words;
  std::vector<std::vector<double>> latency;    // [size], ns a load
  std::vector<std::vector<double>> bandwidth;  // [size], bytes a ns
};

class Sweep {
 public:
  explicit Sweep(tenken::Check& check) : check_(check) {
    const tenken::Parameters& p = check.parameters();
    const auto least = static_cast<std::size_t>(p.integer("size"));
    const auto largest = static_cast<std::size_t>(p.integer("largest"));
    if (largest > 0 && largest < least) tenken::refuse("--largest must be 0 or at least --size; set a larger value");
    sizes_ = working_sets(least, std::max(least, largest), static_cast<int>(p.integer("steps")));
    const std::string& asked = p.text("page_size");
    // The order of the lines is kept beside them: 4 bytes for 64.
    check.require_memory(static_cast<double>(sizes_.back()) * (asked == "both" ? 2.07 : 1.07), "cache");
    for (const char* pages : {"base", "huge"}) {
      if (asked != "both" && asked != pages) continue;
      memory_.push_back(
          {pages,
           tenken::Buffer<std::uint64_t>(sizes_.back() / 8, tenken::pages_from(pages), "the working set of cache"),
           std::vector<std::vector<double>>(sizes_.size()), std::vector<std::vector<double>>(sizes_.size())});
    }
  }

  void pass(bool timed) {
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
      for (Memory& memory : memory_) measure(memory, size, timed);
    }
  }

  void finish() {
    check_.prove(this_check::validity::chain, check_.sum_over_ranks(wrong_chains_));
    check_.prove(this_check::validity::sums, check_.sum_over_ranks(wrong_sums_));
    for (Memory& memory : memory_) {
      check_.value("huge_bytes/" + memory.pages, "B", static_cast<double>(memory.words.huge_bytes()));
    }
    check_.value("working_set_bytes", "B", static_cast<double>(sizes_.back()));
    check_.value("latency_ns", "ns", median(memory_.back().latency.back()));
    check_.value("bandwidth", "GB/s", median(memory_.back().bandwidth.back()));
    check_.value("chased_round_bytes", "B", static_cast<double>(chased_round));
    for (const auto& [level, bytes] : known_caches(tenken::Tree("/"), sched_getcpu())) {
      check_.value("kernel_cache/" + std::to_string(level), "B", static_cast<double>(bytes));
    }
    if (sizes_.size() == 1) return;
    check_.table(table("latency", "ns", tenken::Better::lower, &Memory::latency));
    check_.table(table("bandwidth", "GB/s", tenken::Better::higher, &Memory::bandwidth));
  }

 private:
  void measure(Memory& memory, std::size_t size, bool timed) {
    WorkingSet set({memory.words.data(), memory.words.size()}, sizes_[size], ++seed_);
    if (check_.fault("wrong_byte")) memory.words[3] ^= 1;
    set.warm();
    const int pieces = std::max(1, static_cast<int>((std::int64_t{1} << 20) / static_cast<std::int64_t>(set.bytes())));
    for (int i = 0; i < samples; ++i) {
      const std::int64_t bytes = set.bytes_of_next(pieces);
      const std::int64_t start = tenken::monotonic_ns();
      {
        tenken::Section s{this_check::section::bandwidth, 0, {.bytes_read = bytes}, pieces};
        set.sum_on(pieces);
      }
      const auto ns = static_cast<double>(tenken::monotonic_ns() - start);
      if (timed) memory.bandwidth[size].push_back(static_cast<double>(bytes) / ns);
    }
    set.warm();
    if (set.bytes() <= chased_round) set.chase_on(static_cast<std::int64_t>(set.bytes() / line_bytes));
    std::int64_t loads = first_loads;
    for (std::int64_t ns = 0; ns < sample_ns && loads < most_loads; loads *= 2) {
      const std::int64_t start = tenken::monotonic_ns();
      set.chase_on(loads);
      ns = tenken::monotonic_ns() - start;
    }
    for (int i = 0; i < samples; ++i) {
      const std::int64_t start = tenken::monotonic_ns();
      {
        tenken::Section s{this_check::section::latency, 0, {.bytes_read = 8 * loads}, static_cast<int>(loads)};
        set.chase_on(loads);
      }
      const auto ns = static_cast<double>(tenken::monotonic_ns() - start);
      wrong_chains_ += set.chase_is_right() ? 0 : 1;
      if (timed) memory.latency[size].push_back(ns / static_cast<double>(loads));
    }
    wrong_sums_ += set.wrong_sums();
  }

  tenken::Table table(const char* name, const char* unit, tenken::Better better,
                      std::vector<std::vector<double>> Memory::*figures) {
    tenken::Table table{name, unit, better, {}, {}, {}};
    for (const Memory& memory : memory_) table.columns.push_back(memory.pages);
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
      table.rows.push_back(std::to_string(sizes_[size]));
      for (Memory& memory : memory_) table.values.emplace_back(median((memory.*figures)[size]));
    }
    return table;
  }

  tenken::Check& check_;
  std::vector<std::size_t> sizes_;
  std::vector<Memory> memory_;
  std::uint64_t seed_ = 0;
  double wrong_chains_ = 0;
  double wrong_sums_ = 0;
};

}  // namespace cache
