#include "settings.hpp"

#include <string>

#include "base/error.hpp"
#include "storage/pattern.hpp"

namespace io_throughput {

using namespace tenken;

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

Settings settings_of(const Parameters& parameters, int rank, int ranks) {
  Settings settings;
  settings.mpi_io = parameters.text("variant") == "mpiio";
  settings.places = {layout_from(parameters.text("layout")), rank, ranks, parameters.integer("bytes"),
                     parameters.integer("transfer")};
  settings.cache = storage::cache_state_from(parameters.text("cache"));
  settings.sync = parameters.flag("sync");
  settings.floor = parameters.integer("floor");
  const auto& [layout, me, all, bytes, transfer] = settings.places;
  if (all > storage::Origin::ranks) refuse("the words of the files name at most 16384 ranks; start fewer ranks");
  if (bytes % 8 != 0 || transfer % 8 != 0) {
    refuse("--bytes " + number(bytes) + " and --transfer " + number(transfer) + " must be multiples of 8");
  }
  if (transfer > bytes) {
    refuse("--transfer " + number(transfer) + " is larger than --bytes " + number(bytes) +
           "; choose a smaller transfer");
  }
  if (layout == Layout::strided && bytes % transfer != 0) {
    refuse("--bytes " + number(bytes) + " is no multiple of --transfer " + number(transfer) +
           ", and ranks that take turns write whole transfers; choose a multiple");
  }
  if (settings.direct() && settings.mpi_io) {
    refuse("MPI-IO has no way to ask for O_DIRECT; choose --variant posix or another --cache");
  }
  const std::string fault = parameters.text("fault");
  if (settings.mpi_io && (fault == "full_disk" || fault == "slow_root" || fault == "late_close")) {
    refuse("--fault " + fault + " is planted in calls of the system; choose --variant posix");
  }
  return settings;
}

void require_aligned(const Places& places, std::int64_t alignment) {
  if (places.transfer % alignment != 0) {
    refuse("--transfer " + number(places.transfer) + " is no multiple of " + number(alignment) +
           ", which O_DIRECT needs here; choose a multiple");
  }
  if (places.layout == Layout::segmented && places.bytes % alignment != 0) {
    refuse("--bytes " + number(places.bytes) + " is no multiple of " + number(alignment) +
           ", which O_DIRECT needs for the segments of a shared file; choose a multiple");
  }
}

}  // namespace io_throughput
