#include "measure/bindings.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "base/error.hpp"

namespace tenken {

namespace {

using Processors = std::vector<Processor>;

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// First hardware threads of all cores, then the second ones; each time socket by socket and NUMA node by NUMA node.
Processors compact_order(Processors all) {
  const auto key = [](const Processor& p) { return std::tuple(p.thread, p.socket, p.numa, p.core, p.cpu); };
  std::sort(all.begin(), all.end(), [&](const Processor& a, const Processor& b) { return key(a) < key(b); });
  return all;
}

Processors first_threads(const Processors& order) {
  Processors cores;
  std::copy_if(order.begin(), order.end(), std::back_inserter(cores), [](const Processor& p) { return p.thread == 0; });
  return cores;
}

// The group of processors to deal from next: of those with cores left the one that fewest were taken from, of equals
// the one with most left, then the lowest number.
template <class Group>
int next_group(const Processors& left, const Processors& taken, Group group) {
  std::map<int, std::pair<long, long>> sizes;  // taken, -left
  for (const Processor& one : left) --sizes[group(one)].second;
  for (const Processor& one : taken) {
    if (const auto found = sizes.find(group(one)); found != sizes.end()) ++found->second.first;
  }
  return std::min_element(sizes.begin(), sizes.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
}

int socket_of(const Processor& one) { return one.socket; }
int numa_of(const Processor& one) { return one.numa; }

// Deals up to `wanted` cores of one socket, those of a NUMA node together.
std::vector<int> deal(Processors& left, Processors& taken, std::size_t wanted) {
  const int socket = next_group(left, taken, socket_of);
  std::vector<int> cpus;
  while (cpus.size() < wanted) {
    Processors there;
    std::copy_if(left.begin(), left.end(), std::back_inserter(there), [&](auto& one) { return one.socket == socket; });
    if (there.empty()) break;
    const int numa = next_group(there, taken, numa_of);
    std::erase_if(left, [&](const Processor& one) {
      if (one.socket != socket || one.numa != numa || cpus.size() == wanted) return false;
      cpus.push_back(one.cpu);
      taken.push_back(one);
      return true;
    });
  }
  return cpus;
}

std::vector<std::vector<int>> scattered(Processors left, std::size_t ranks, std::size_t threads) {
  std::vector<std::vector<int>> bound(ranks);
  Processors taken;
  const std::size_t together = ranks == 1 ? 1 : threads;
  for (auto& mine : bound) {
    while (mine.size() < threads) {
      const auto some = deal(left, taken, std::min(together, threads - mine.size()));
      mine.insert(mine.end(), some.begin(), some.end());
    }
  }
  return bound;
}

std::vector<std::vector<int>> in_order(const Processors& order, std::size_t ranks, std::size_t threads) {
  std::vector<std::vector<int>> bound(ranks);
  for (std::size_t i = 0; i < ranks * threads; ++i) bound[i / threads].push_back(order[i].cpu);
  return bound;
}

// The cores that a wish leaves, and in words what it does, for a refusal.
std::pair<Processors, std::string> cores_left(const Processors& order, const Wish& wish) {
  Processors cores = first_threads(order);
  std::string words = "placement " + wish.placement;
  if (wish.placement == "one_socket" && !cores.empty()) {
    const int socket = next_group(cores, {}, socket_of);
    std::erase_if(cores, [&](const Processor& one) { return one.socket != socket; });
    words += " (socket " + std::to_string(socket) + ")";
  } else if (wish.placement == "skip_first" && !cores.empty()) {
    cores.erase(cores.begin());
  }
  if (wish.reserve > 0) {
    std::set<int> kept_free;
    const Processors all = first_threads(order);
    const auto free = std::min(static_cast<std::size_t>(wish.reserve), all.size());
    for (std::size_t i = all.size() - free; i < all.size(); ++i) kept_free.insert(all[i].core);
    std::erase_if(cores, [&](const Processor& one) { return kept_free.contains(one.core); });
    words += " with reserve " + std::to_string(wish.reserve);
  }
  return {cores, words};
}

}  // namespace

std::vector<std::vector<int>> bind_ranks(const Topology& topology, int ranks, int threads, const Wish& wish) {
  const auto r = static_cast<std::size_t>(ranks);
  const auto t = static_cast<std::size_t>(threads);
  if (wish.placement == "none") {
    if (wish.reserve > 0)
      refuse("reserve needs bound threads, and placement none binds nothing; leave one of them out");
    return {};
  }
  const Processors order = compact_order(topology.processors);
  if (wish.placement == "compact" && wish.reserve == 0) {
    return r * t > order.size() ? std::vector<std::vector<int>>{} : in_order(order, r, t);
  }
  const auto [cores, words] = cores_left(order, wish);
  if (r * t > cores.size()) {
    refuse(words + " leaves " + count(cores.size(), "core") + " of " + count(first_threads(order).size(), "core") +
           " here, and " + count(r, "rank") + " x " + count(t, "thread") + " need " + std::to_string(r * t) +
           "; use fewer threads or another placement");
  }
  return wish.placement == "scatter" ? scattered(cores, r, t) : in_order(cores, r, t);
}

std::vector<int> memory_nodes(const Topology& topology, int numa, const std::string& membind) {
  if (membind.empty()) return {};
  const auto& memory = topology.memory;
  if (memory.empty()) refuse("membind: this system does not report its memory nodes; leave --membind out");
  const auto at = [&](int node) {
    return std::find_if(memory.begin(), memory.end(), [&](const MemoryNode& one) { return one.node == node; });
  };
  std::string known;
  for (const MemoryNode& one : memory) {
    known +=
        (known.empty() ? "" : ", ") + std::to_string(one.node) + " (" + std::string(memory_kind_name(one.kind)) + ")";
  }
  if (membind == "local") {
    if (at(numa) == memory.end()) {
      refuse("membind local: NUMA node " + std::to_string(numa) +
             " has processors but no memory; nodes with memory are " + known);
    }
    return {numa};
  }
  if (const auto node = parse_number(membind); node && std::to_string(*node) == membind) {
    if (*node > std::numeric_limits<int>::max() || at(static_cast<int>(*node)) == memory.end()) {
      refuse("membind " + membind + ": no memory node of that number; there are " + known);
    }
    return {static_cast<int>(*node)};
  }
  if (membind != "main" && membind != "fast" && membind != "slow") {
    refuse("membind '" + membind + "' is not known; expected local, the number of a memory node, main, fast or slow");
  }
  std::vector<int> nearest;
  int least = std::numeric_limits<int>::max();
  const auto own = at(numa);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (memory_kind_name(memory[i].kind) != membind) continue;
    const int far = own == memory.end() || own->distances.empty() ? 0 : own->distances[i];
    if (far < least) nearest.clear();
    if (far <= least) nearest.push_back(memory[i].node);
    least = std::min(least, far);
  }
  if (nearest.empty()) refuse("membind " + membind + ": no such memory here; nodes are " + known);
  return nearest;
}

}  // namespace tenken
