#include "start.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "passes.hpp"

namespace staging {

using namespace tenken;

// Names that both file systems permit, the same on all ranks.
void fit_names(const Check& check, Settings& settings, storage::SystemCalls& system, const storage::WorkFolder& global,
               const storage::WorkFolder& local) {
  double longest = static_cast<double>(settings.tree.longest_name);
  bool newlines = true;
  for (const storage::WorkFolder* folder : {&global, &local}) {
    const long most = fpathconf(folder->descriptor(), _PC_NAME_MAX);
    if (most > 0) longest = std::min(longest, static_cast<double>(most));
    const std::string trial = "trial\n" + std::to_string(check.rank());
    const int file =
        system.open_at(folder->descriptor(), trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    newlines = newlines && file >= 0;
    if (file >= 0) system.close(file);
    system.remove(folder->descriptor(), trial.c_str(), 0);
  }
  settings.tree.longest_name = static_cast<std::size_t>(-check.max_over_ranks(-longest));
  settings.tree.newlines = check.max_over_ranks(newlines ? 0 : 1) == 0;
}

void require_possible(const Check& check, const Settings& settings, storage::SystemCalls& system,
                      const storage::WorkFolder& global, const storage::WorkFolder& local) {
  const bool one_tree = settings.variant == Variant::stage_in && settings.source != Source::own;
  const bool one_file = settings.variant == Variant::stage_out && settings.one_file;
  if ((one_tree || one_file) && !global.shared()) {
    refuse("root " + std::string(check.parameters().text("root")) +
           " is another folder on each node, and the ranks share files there; name a folder that all nodes see, or "
           "choose --source own or --into file_a_rank");
  }
  check.require_memory(static_cast<double>(settings.variant == Variant::checkpoint ? settings.bytes : 0) +
                           static_cast<double>(settings.transfer),
                       "the data of a rank");
  const Sizes sizes = sizes_of(settings, check.rank());
  struct stat of_global {
  }, of_local{};
  system.status(global.descriptor(), of_global);
  system.status(local.descriptor(), of_local);
  if (check.max_over_ranks(of_global.st_dev == of_local.st_dev ? 0 : 1) > 0) {
    global.require_files(sizes.global, settings.floor);
    return local.require_files(sizes.local, settings.floor);
  }
  std::vector<std::int64_t> all = sizes.global;
  all.insert(all.end(), sizes.local.begin(), sizes.local.end());
  global.require_files(all, settings.floor);
}

}  // namespace staging
