#include "listing.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <numeric>

#include "base/error.hpp"
#include "storage/launch_folder.hpp"

namespace metadata {

std::int64_t Listing::all() const { return std::accumulate(of_writer.begin(), of_writer.end(), strange); }

void list_into(Listing& listing, tenken::storage::SystemCalls& system, int folder, const std::string& path,
               const Places& places) {
  const int opened = system.open_at(folder, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (opened < 0) tenken::impossible("folder " + path + ": " + std::strerror(errno) + " (list)");
  for (const std::string& name : tenken::storage::names_in(opened)) {
    const auto file = places.made(name);
    if (!file) {
      ++listing.strange;
      continue;
    }
    ++listing.of_writer[static_cast<std::size_t>(file->writer)];
    if (listing.first.size() < Listing::most_named) listing.first.push_back(*file);
  }
  system.close(opened);
}

}  // namespace metadata
