#include "settings.hpp"

#include <string>

#include "base/error.hpp"
#include "file_data.hpp"

namespace metadata {

using namespace tenken;

Settings settings_of(const Parameters& parameters, int ranks) {
  Settings settings;
  settings.places = {parameters.text("folder") == "shared", static_cast<int>(parameters.integer("depth")),
                     static_cast<int>(parameters.integer("branch")), static_cast<int>(parameters.integer("files")),
                     ranks};
  settings.bytes = parameters.integer("bytes");
  const std::string by(parameters.text("stat_by"));
  settings.stat_by = by == "self" ? StatBy::self : by == "other" ? StatBy::other : StatBy::other_node;
  settings.sync = parameters.flag("sync");
  settings.floor = parameters.integer("floor");
  const Places& places = settings.places;
  const std::string files = "--files " + std::to_string(places.files);
  if (ranks > storage::Origin::ranks) refuse("the words of the files name at most 16384 ranks; start fewer ranks");
  if (places.leaves() > Places::most_leaves) {
    refuse("--depth " + std::to_string(places.depth) + " with --branch " + std::to_string(places.branch) +
           " has more than 4096 lowest folders; choose a smaller depth or branch");
  }
  if (places.leaves() > places.files) {
    refuse(files + " is less than the " + std::to_string(places.leaves()) +
           " lowest folders; choose more files or a smaller --depth");
  }
  if (places.files * padded(settings.bytes) > storage::Origin::bytes) {
    refuse(files + " of " + std::to_string(settings.bytes) +
           " bytes need more than 256 MiB a rank; choose fewer files");
  }
  const std::string fault(parameters.text("fault"));
  if (settings.bytes == 0 && (fault == "flip_byte" || fault == "short_file" || fault == "idle_read")) {
    refuse("--fault " + fault + " needs files with content; choose --bytes 3901");
  }
  return settings;
}

}  // namespace metadata
