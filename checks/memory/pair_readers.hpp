// The cores of each NUMA node read from each memory node.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "measure/clock.hpp"
#include "measure/memory.hpp"
#include "measure/record_table.hpp"
#include "measure/section.hpp"
#include "nodes.hpp"
#include "slices.hpp"
#include "this_check.hpp"

namespace memory {

constexpr int pair_streams = 4;

// Each NUMA node's threads read from each memory node, all others idle.
class PairReaders {
 public:
  PairReaders(int threads, std::size_t words, tenken::Pages pages, Nodes nodes)
      : threads_(threads), nodes_(std::move(nodes)) {
    for (const int node : nodes_.memory) {
      // The master thread writes it, and takes its pages from that node alone. What is not granted is not measured.
      granted_.push_back(tenken::take_pages_from({node}) == 0);
      memory_.emplace_back(words, pages);
      memory_.back().write_all(static_cast<std::uint64_t>(node) + 99);
    }
    tenken::take_pages_from({});
    rates_.resize(nodes_.near.size() * nodes_.memory.size());
  }

  void pass(bool timed, bool slow_last) {
    for (std::size_t near = 0; near < nodes_.near.size(); ++near) {
      for (std::size_t from = 0; from < nodes_.memory.size(); ++from) {
        if (!granted_[from]) continue;
        const bool slow = slow_last && near + 1 == nodes_.near.size() && from + 1 == nodes_.memory.size();
        const double rate = read(near, memory_[from], slow ? 2 : 1);
        if (timed) rates_[near * nodes_.memory.size() + from].push_back(rate);
      }
    }
  }

  std::int64_t wrong() const { return wrong_; }

  tenken::Table table() const {
    tenken::Table table{"numa_pairs", "GB/s", tenken::Better::higher, nodes_.near_names, nodes_.memory_names, {}};
    for (std::vector<double> rates : rates_) {
      if (rates.empty()) {
        table.values.emplace_back();
        continue;
      }
      std::nth_element(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2), rates.end());
      table.values.emplace_back(rates[rates.size() / 2]);
    }
    return table;
  }
  bool empty() const { return nodes_.memory.empty(); }

 private:
  // Bytes a ns: each thread of the node reads a slice of its own, the next ones after each other in memory.
  double read(std::size_t near, Slices& slices, int passes) {
    const std::vector<int>& mine = nodes_.threads[near];
    const std::size_t first = next_;
    next_ = (next_ + mine.size()) % slices.count();
    const std::int64_t bytes = slices.bytes() * static_cast<std::int64_t>(mine.size());
    std::int64_t wrong = 0;
    const std::int64_t start = tenken::monotonic_ns();
    {
      tenken::Section s{this_check::section::pair, 0, {.bytes_read = bytes}};
#pragma omp parallel num_threads(threads_) reduction(+ : wrong)
      {
        const auto found = std::find(mine.begin(), mine.end(), omp_get_thread_num());
        for (int pass = 0; found != mine.end() && pass < passes; ++pass) {
          const std::size_t number = (first + static_cast<std::size_t>(found - mine.begin())) % slices.count();
          wrong += memory::read(slices.slice(number), pair_streams) == slices.sum(number) ? 0 : 1;
        }
      }
    }
    const auto ns = static_cast<double>(tenken::monotonic_ns() - start);
    wrong_ += wrong;
    for (std::size_t i = 0; i < mine.size(); ++i) slices.write((first + i) % slices.count(), ++seed_);
    return static_cast<double>(bytes) / ns;
  }

  int threads_;
  Nodes nodes_;
  std::vector<Slices> memory_;
  std::vector<bool> granted_;
  std::vector<std::vector<double>> rates_;
  std::size_t next_ = 0;
  std::uint64_t seed_ = 1000;
  std::int64_t wrong_ = 0;
};

}  // namespace memory
