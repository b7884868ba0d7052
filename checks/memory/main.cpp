#include <omp.h>

#include <algorithm>
#include <optional>
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

// The memory of one thread, on pages that it wrote first itself.
struct Share {
  Buffer<std::uint64_t> words;
  std::uint64_t sum = 0;
  std::int64_t wrong = 0;
};

class Readers {
 public:
  Readers(Check& check, std::size_t words, Pages pages) : threads_(check.threads()) {
    shares_.resize(static_cast<std::size_t>(threads_));
    for (Share& share : shares_) share.words = Buffer<std::uint64_t>(words, pages, "memory");
    rewrite(1);
  }

  // On the pages that are there: other numbers, by the threads that read them.
  void rewrite(std::uint64_t seed) {
#pragma omp parallel num_threads(threads_)
    {
      Share& own = share();
      own.sum = memory::fill({own.words.data(), own.words.size()},
                             seed * 1000 + static_cast<std::uint64_t>(omp_get_thread_num()));
    }
  }

  void read(int streams) {
#pragma omp parallel num_threads(threads_)
    {
      Share& own = share();
      own.wrong += memory::read({own.words.data(), own.words.size()}, streams) == own.sum ? 0 : 1;
    }
  }

  std::int64_t wrong() const {
    std::int64_t all = 0;
    for (const Share& one : shares_) all += one.wrong;
    return all;
  }
  void break_word() { shares_.back().words[shares_.back().words.size() / 2] ^= 1; }

 private:
  Share& share() { return shares_[static_cast<std::size_t>(omp_get_thread_num())]; }

  int threads_;
  std::vector<Share> shares_;
};

// Each NUMA node's threads read from each memory node, all others idle.
class PairReaders {
 public:
  PairReaders(Check& check, std::size_t words, Pages pages, Nodes nodes)
      : threads_(check.threads()), nodes_(std::move(nodes)) {
    for (const int node : nodes_.memory) {
      Share share{Buffer<std::uint64_t>(words, pages, "memory"), 0, 0};
      // The master thread writes it, and takes its pages from that node alone. What is not granted is not measured.
      granted_.push_back(take_pages_from({node}) == 0);
      share.sum = memory::fill({share.words.data(), share.words.size()}, static_cast<std::uint64_t>(node) + 99);
      shares_.push_back(std::move(share));
    }
    take_pages_from({});
    rates_.resize(nodes_.near.size() * nodes_.memory.size());
  }

  void pass(bool timed, bool slow_last) {
    for (std::size_t near = 0; near < nodes_.near.size(); ++near) {
      for (std::size_t from = 0; from < nodes_.memory.size(); ++from) {
        if (!granted_[from]) continue;
        const bool slow = slow_last && near + 1 == nodes_.near.size() && from + 1 == nodes_.memory.size();
        const double rate = read(near, shares_[from], slow ? 2 : 1);
        if (timed) rates_[near * nodes_.memory.size() + from].push_back(rate);
      }
    }
  }

  std::int64_t wrong() const {
    std::int64_t all = 0;
    for (const Share& one : shares_) all += one.wrong;
    return all;
  }

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
  // Bytes a ns: the threads of a node share the memory out, a piece each in turn.
  double read(std::size_t near, Share& share, int passes) {
    const std::vector<int>& mine = nodes_.threads[near];
    const std::size_t part = share.words.size() / mine.size() / memory::line_words * memory::line_words;
    std::uint64_t total = 0;
    const auto bytes = static_cast<std::int64_t>(part * mine.size() * 8);
    const std::int64_t start = monotonic_ns();
    {
      Section s{this_check::section::pair, 0, {.bytes_read = bytes}};
#pragma omp parallel num_threads(threads_) reduction(+ : total)
      {
        const auto found = std::find(mine.begin(), mine.end(), omp_get_thread_num());
        for (int pass = 0; found != mine.end() && pass < passes; ++pass) {
          const auto first = static_cast<std::size_t>(found - mine.begin()) * part;
          const std::uint64_t sum = memory::read({share.words.data() + first, part}, pair_streams);
          if (pass == 0) total += sum;
        }
      }
    }
    const auto ns = static_cast<double>(monotonic_ns() - start);
    for (std::size_t i = part * mine.size(); i < share.words.size(); ++i) total += share.words[i];
    share.wrong += total == share.sum ? 0 : 1;
    return static_cast<double>(bytes) / ns;
  }

  int threads_;
  Nodes nodes_;
  std::vector<Share> shares_;
  std::vector<bool> granted_;
  std::vector<std::vector<double>> rates_;
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
  std::uint64_t seed = 1;
  check.repeat([&](int repetition) {
    readers.rewrite(++seed);
    if (check.fault("wrong_word")) readers.break_word();
    for (std::size_t i = 0; i < streams.size(); ++i) {
      MPI_Barrier(check.comm());  // the ranks share the memory
      Section s{this_check::section::read, static_cast<int>(i), {.bytes_read = static_cast<std::int64_t>(all)}};
      readers.read(static_cast<int>(streams[i]));
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
