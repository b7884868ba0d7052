#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/placement.hpp"
#include "nodes.hpp"
#include "pair_readers.hpp"
#include "slices.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using memory::Nodes;
using memory::PairReaders;
using memory::Readers;

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

  Readers readers(check.threads(), words, pages);
  std::optional<PairReaders> pairs;
  if (paired) pairs.emplace(check.threads(), words * static_cast<std::size_t>(check.threads()), pages, nodes);
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
  check.value("huge_bytes", "B", check.sum_over_ranks(static_cast<double>(readers.huge_bytes())));
  check.value("array_bytes", "B", all * check.ranks());
  check.value("working_set_bytes", "B", all * check.ranks());
  if (pairs && !pairs->empty()) check.table(pairs->table());
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
