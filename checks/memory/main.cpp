#include <omp.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "kernel.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "measure/memory.hpp"
#include "measure/placement.hpp"
#include "nodes.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using memory::Nodes;

constexpr int pair_streams = 4;
constexpr std::size_t slice_words = std::size_t{1} << 20;  // 8 MiB: about a millisecond of a core

// Memory that is read slice by slice, going round: a slice that was read is far from the caches when its turn comes
// again.
class Slices {
 public:
  Slices(std::size_t words, Pages pages) : words_(words, pages, "memory") {
    const std::size_t count = std::max<std::size_t>(1, words / slice_words);
    each_ = words / count / memory::line_words * memory::line_words;
    sums_.resize(count);
  }

  void write_all(std::uint64_t seed) {
    for (std::size_t number = 0; number < sums_.size(); ++number) write(number, seed + number);
  }
  void write(std::size_t number, std::uint64_t seed) { sums_[number] = memory::fill(slice(number), seed); }

  std::size_t count() const { return sums_.size(); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(each_ * 8); }  // of a slice
  std::span<std::uint64_t> slice(std::size_t number) { return {words_.data() + number * each_, each_}; }
  std::uint64_t sum(std::size_t number) const { return sums_[number]; }

 private:
  Buffer<std::uint64_t> words_;
  std::size_t each_ = 0;
  std::vector<std::uint64_t> sums_;  // of each slice, as written
};

// Each thread reads its own memory, which it wrote itself.
class Readers {
 public:
  Readers(Check& check, std::size_t words, Pages pages) : threads_(check.threads()) {
    for (int thread = 0; thread < threads_; ++thread) own_.emplace_back(words, pages);
#pragma omp parallel num_threads(threads_)
    own_[me()].write_all(seed(0));
  }

  std::int64_t bytes() const { return own_.front().bytes() * threads_; }

  // To be timed: a slice of each thread.
  void read(int streams) {
    std::int64_t wrong = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : wrong)
    {
      Slices& own = own_[me()];
      wrong += memory::read(own.slice(next_), streams) == own.sum(next_) ? 0 : 1;
    }
    wrong_ += wrong;
  }

  // Other numbers in the slice that was read, and on to the next one.
  void rewrite() {
    ++round_;
#pragma omp parallel num_threads(threads_)
    own_[me()].write(next_, seed(round_));
    next_ = (next_ + 1) % own_.front().count();
  }

  std::int64_t wrong() const { return wrong_; }
  void break_word() { own_.back().slice(next_)[7] ^= 1; }

 private:
  static std::size_t me() { return static_cast<std::size_t>(omp_get_thread_num()); }
  static std::uint64_t seed(std::uint64_t round) { return (round << 20) + me(); }

  int threads_;
  std::vector<Slices> own_;
  std::size_t next_ = 0;
  std::uint64_t round_ = 0;
  std::int64_t wrong_ = 0;
};

// Each NUMA node's threads read from each memory node, all others idle.
class PairReaders {
 public:
  PairReaders(Check& check, std::size_t words, Pages pages, Nodes nodes)
      : threads_(check.threads()), nodes_(std::move(nodes)) {
    for (const int node : nodes_.memory) {
      // The master thread writes it, and takes its pages from that node alone. What is not granted is not measured.
      granted_.push_back(take_pages_from({node}) == 0);
      memory_.emplace_back(words, pages);
      memory_.back().write_all(static_cast<std::uint64_t>(node) + 99);
    }
    take_pages_from({});
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

  Table table() const {
    Table table{"numa_pairs", "GB/s", Better::higher, nodes_.near_names, nodes_.memory_names, {}};
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
    const std::int64_t start = monotonic_ns();
    {
      Section s{this_check::section::pair, 0, {.bytes_read = bytes}};
#pragma omp parallel num_threads(threads_) reduction(+ : wrong)
      {
        const auto found = std::find(mine.begin(), mine.end(), omp_get_thread_num());
        for (int pass = 0; found != mine.end() && pass < passes; ++pass) {
          const std::size_t number = (first + static_cast<std::size_t>(found - mine.begin())) % slices.count();
          wrong += memory::read(slices.slice(number), pair_streams) == slices.sum(number) ? 0 : 1;
        }
      }
    }
    const auto ns = static_cast<double>(monotonic_ns() - start);
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

void body(Check& check) {
  const Parameters& p = check.parameters();
  const std::vector<std::int64_t> streams = p.integers("streams");
  for (const std::int64_t count : streams) {
    if (!memory::can_read(static_cast<int>(count))) {
      refuse("--streams holds " + std::to_string(count) + "; a thread reads 1, 2, 4 or 8 streams");
    }
  }
  const auto words = static_cast<std::size_t>(p.integer("size")) / 8;
  const Pages pages = pages_from(p.text("page_size"));
  const std::vector<int> cpus = processors_now(check.threads());
  std::vector<int> usable = cpus;
  std::sort(usable.begin(), usable.end());
  const Nodes nodes = memory::nodes_of(read_topology(Tree("/"), usable), cpus);
  const bool paired = p.flag("pairs") && check.ranks() == 1;
  const double all = static_cast<double>(words * 8) * check.threads();
  check.require_memory(all * (1 + (paired ? static_cast<double>(nodes.memory.size()) : 0)), "memory");

  Readers readers(check, words, pages);
  std::optional<PairReaders> pairs;
  if (paired) pairs.emplace(check, words * static_cast<std::size_t>(check.threads()), pages, nodes);
  check.repeat([&](int repetition) {
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (check.fault("wrong_word")) readers.break_word();
      MPI_Barrier(check.comm());  // the ranks share the memory
      {
        Section s{this_check::section::read, static_cast<int>(i), {.bytes_read = readers.bytes()}};
        readers.read(static_cast<int>(streams[i]));
      }
      readers.rewrite();
    }
    if (pairs) pairs->pass(repetition >= 0, check.fault("slow_node"));
  });
  const std::int64_t wrong = readers.wrong() + (pairs ? pairs->wrong() : 0);
  check.prove(this_check::validity::sums, check.sum_over_ranks(static_cast<double>(wrong)));
  check.value("working_set_bytes", "B", all * check.ranks());
  if (pairs && !pairs->empty()) check.table(pairs->table());
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
