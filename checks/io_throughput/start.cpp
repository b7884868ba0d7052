#include "start.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "parallel/shared_file.hpp"
#include "planted_calls.hpp"
#include "storage/budget.hpp"
#include "storage/pattern.hpp"

namespace io_throughput {

using namespace tenken;
using storage::CacheState;

namespace {

constexpr double outgrows = 1.5;  // times the memory: no page of the beginning is left at the end

// Bytes of the page cache at most: the node's memory, or less where a control group limits it.
std::int64_t memory_bytes() {
  const std::int64_t node = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::min(node, memory_limit(Tree("/")).value_or(node));
}

}  // namespace

std::unique_ptr<storage::SystemCalls> calls_of(const Check& check, const Settings& settings) {
  const std::string fault = check.parameters().text("fault");
  if (fault == "none") return std::make_unique<storage::SystemCalls>();
  return std::make_unique<PlantedCalls>(fault, check.rank() == check.ranks() - 1, settings.places.bytes);
}

std::int64_t buffer_bytes(const Check& check, const Settings& settings, const storage::WorkFolder& folder) {
  constexpr std::int64_t part_of_memory = 4;  // the rest is for the page cache and MPI
  const auto [bytes, transfer] = std::pair(settings.places.bytes, settings.places.transfer);
  const std::int64_t here = memory_bytes() / (part_of_memory * static_cast<std::int64_t>(folder.node().size()));
  const double least = -check.max_over_ranks(-static_cast<double>(here));
  // Words name at most Origin::files parts.
  const std::int64_t most = std::max(static_cast<std::int64_t>(least), bytes / storage::Origin::files + transfer);
  return std::min(bytes, std::clamp(most, transfer, storage::Origin::bytes));
}

void require_possible(const Check& check, const Settings& settings, const storage::WorkFolder& folder,
                      std::int64_t buffer) {
  const Places& places = settings.places;
  if (places.shared() && !folder.shared()) {
    refuse("root " + check.parameters().text("root") +
           " is another folder on each node, and a shared file needs a folder that all nodes see; name such a folder");
  }
  if (settings.cache == CacheState::other_node && (folder.nodes() < 2 || !folder.shared())) {
    refuse(
        "--cache other_node needs two nodes that see the same root; start it with --nodes 2, or choose --cache "
        "dropped");
  }
  if (settings.cache == CacheState::outgrown) {
    const auto ranks = static_cast<double>(folder.node().size());
    const auto least = static_cast<std::int64_t>(outgrows * static_cast<double>(memory_bytes()) / ranks) + 1;
    const double most = check.max_over_ranks(static_cast<double>(least));
    if (static_cast<double>(places.bytes) < most) {
      refuse("--cache outgrown needs 1.5 times the memory of a node, " +
             storage::bytes_text(static_cast<std::int64_t>(most)) +
             " a rank; choose --bytes of that size, or --cache dropped");
    }
  }
  if (check.parameters().text("fault") == "late_close" && buffer < places.bytes) {
    refuse("--fault late_close writes all bytes of a rank from memory, " + storage::bytes_text(buffer) +
           " at most here; choose fewer --bytes");
  }
  check.require_memory(static_cast<double>(buffer), "the data of a rank");
  folder.require_space(places.bytes, settings.floor);
}

std::optional<storage::Alignment> alignment_of(const Check& check, const Settings& settings,
                                               storage::SystemCalls& system, const storage::WorkFolder& folder) {
  if (settings.cache == CacheState::cached) return std::nullopt;
  const std::string name = "trial." + std::to_string(check.rank());
  std::optional<storage::Alignment> found;
  const int file =
      system.open_at(folder.descriptor(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_DIRECT | O_NOFOLLOW, 0600);
  if (file >= 0) {
    found = storage::direct_alignment(system, file);
    system.close(file);
  }
  system.remove(folder.descriptor(), name.c_str(), 0);
  double unit = found ? static_cast<double>(found->offset) : 0;
  const bool all = check.max_over_ranks(unit > 0 ? 0 : 1) == 0;
  if (!all && settings.direct()) {
    lacking("root " + check.parameters().text("root") +
            " takes no reads or writes with O_DIRECT; choose --cache dropped");
  }
  if (!all) return std::nullopt;
  unit = check.max_over_ranks(unit);
  found->offset = static_cast<std::int64_t>(unit);
  if (settings.direct()) require_aligned(settings.places, found->offset);
  return found;
}

}  // namespace io_throughput
