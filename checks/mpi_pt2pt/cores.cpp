#include "cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.hpp"

namespace mpi_pt2pt {

namespace {

std::vector<int> mask_now() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

const std::vector<int> at_start = mask_now();  // before main: nobody has bound this process yet but its launcher

}  // namespace

const std::vector<int>& given_processors() { return at_start; }

void move_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return;
  tenken::impossible("processor " + std::to_string(cpu) + " cannot be used (" + std::strerror(errno) +
                     "); leave it out of --cores");
}

Seat seat_on(const tenken::Topology& topology, const std::string& sockets, bool starts, bool one_node) {
  const auto wanted = [&](char c) { return static_cast<std::size_t>(c - '0'); };
  const std::size_t mine = wanted(starts ? sockets.front() : sockets.back());
  const std::vector<int> there = topology.sockets();
  if (mine >= there.size()) {
    return {-1, "there is no socket " + std::to_string(mine) + ": " + std::to_string(there.size()) + " can be used"};
  }
  const std::size_t place = one_node && sockets.front() == sockets.back() && !starts ? 1 : 0;
  std::vector<int> cores;
  for (const tenken::Processor& one : topology.processors) {
    if (one.socket == there[mine] && one.thread == 0) cores.push_back(one.cpu);
  }
  if (place >= cores.size()) return {-1, "socket " + std::to_string(mine) + " has one core, and two are needed"};
  return {cores[place], ""};
}

std::vector<int> visited(const std::vector<std::int64_t>& asked, const std::vector<int>& given, std::string& problem) {
  if (asked.size() == 1 && asked.front() == -1) return given;
  std::vector<int> cpus;
  for (const std::int64_t one : asked) {
    const auto found = std::find(given.begin(), given.end(), one);
    if (found == given.end()) {
      problem = "--cores names processor " + std::to_string(one) + ", which rank 0 may not use; choose among " +
                list_of(given);
      return {};
    }
    if (std::find(cpus.begin(), cpus.end(), *found) == cpus.end()) cpus.push_back(*found);
  }
  return cpus;
}

std::string list_of(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (end > i) text += "-" + std::to_string(cpus[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace mpi_pt2pt
