#include "settings.hpp"

#include <string>

#include "base/error.hpp"
#include "storage/pattern.hpp"

namespace staging {

using namespace tenken;

const char* name_of(Variant variant) {
  constexpr const char* names[] = {"stage_in", "checkpoint", "stage_out"};
  return names[static_cast<int>(variant)];
}

Settings settings_of(const Parameters& parameters, int ranks) {
  Settings settings;
  const std::string variant(parameters.text("variant")), source(parameters.text("source"));
  settings.variant = variant == "stage_in"     ? Variant::stage_in
                     : variant == "checkpoint" ? Variant::checkpoint
                                               : Variant::stage_out;
  settings.source = source == "broadcast" ? Source::broadcast : source == "own" ? Source::own : Source::every_rank;
  settings.one_file = parameters.text("into") == "one_file";
  settings.tree = {.large = static_cast<int>(parameters.integer("large")),
                   .large_bytes = parameters.integer("large_bytes"),
                   .small = static_cast<int>(parameters.integer("small")),
                   .small_bytes = parameters.integer("small_bytes"),
                   .depth = static_cast<int>(parameters.integer("depth"))};
  settings.bytes = parameters.integer("bytes");
  settings.transfer = parameters.integer("transfer");
  settings.cache = storage::cache_state_from(parameters.text("cache"));
  settings.sync = parameters.flag("sync");
  settings.floor = parameters.integer("floor");
  if (ranks > storage::Origin::ranks) refuse("the words of the files name at most 16384 ranks; start fewer ranks");
  if (settings.bytes % 8 != 0 || settings.transfer % 8 != 0) {
    refuse("--bytes " + std::to_string(settings.bytes) + " and --transfer " + std::to_string(settings.transfer) +
           " must be multiples of 8");
  }
  const int files = settings.tree.large + settings.tree.small + settings.tree.depth + 2;
  if (files > storage::Origin::files) {
    refuse("a tree of " + std::to_string(files) + " files has more than " + std::to_string(storage::Origin::files) +
           "; choose fewer --large or --small files");
  }
  const std::string fault(parameters.text("fault"));
  if (fault == "link_out" && settings.variant != Variant::stage_in) {
    refuse("--fault link_out is planted in the tree that is staged in; choose --variant stage_in");
  }
  if (fault == "lost_rename" && settings.variant != Variant::checkpoint) {
    refuse("--fault lost_rename is planted in checkpoints; choose --variant checkpoint");
  }
  if (fault == "cached_read" && settings.variant == Variant::checkpoint) {
    refuse("--fault cached_read is planted in reads; choose --variant stage_in or stage_out");
  }
  if (fault == "swap_blocks" && (settings.variant == Variant::stage_in ? settings.tree.large : 1) == 0) {
    refuse("--fault swap_blocks needs a large file; choose --large 1");
  }
  return settings;
}

}  // namespace staging
